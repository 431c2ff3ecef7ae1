// Documents of kits, evaluations and answers in JSON, Markdown and CSV.

// Placeholder until the first test of InterviewKits lands.

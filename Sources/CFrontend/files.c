// The files of the reference frontend, embedded by the compiler (C23, `#embed`): nothing is generated or copied.
#include "CFrontend.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char answer_tools_js[] = {
#embed "web/answer-tools.js"
};
static const unsigned char answers_js[] = {
#embed "web/answers.js"
};
static const unsigned char app_css[] = {
#embed "web/app.css"
};
static const unsigned char app_js[] = {
#embed "web/app.js"
};
static const unsigned char docs_curl_js[] = {
#embed "web/docs-curl.js"
};
static const unsigned char docs_description_js[] = {
#embed "web/docs-description.js"
};
static const unsigned char docs_operation_js[] = {
#embed "web/docs-operation.js"
};
static const unsigned char docs_schema_js[] = {
#embed "web/docs-schema.js"
};
static const unsigned char docs_css[] = {
#embed "web/docs.css"
};
static const unsigned char docs_html[] = {
#embed "web/docs.html"
};
static const unsigned char docs_js[] = {
#embed "web/docs.js"
};
static const unsigned char dom_js[] = {
#embed "web/dom.js"
};
static const unsigned char drag_js[] = {
#embed "web/drag.js"
};
static const unsigned char editor_js[] = {
#embed "web/editor.js"
};
static const unsigned char fonts_js[] = {
#embed "web/fonts.js"
};
static const unsigned char form_js[] = {
#embed "web/form.js"
};
static const unsigned char heights_js[] = {
#embed "web/heights.js"
};
static const unsigned char http_js[] = {
#embed "web/http.js"
};
static const unsigned char icons_svg[] = {
#embed "web/icons.svg"
};
static const unsigned char import_js[] = {
#embed "web/import.js"
};
static const unsigned char index_html[] = {
#embed "web/index.html"
};
static const unsigned char inspector_controls_js[] = {
#embed "web/inspector-controls.js"
};
static const unsigned char inspector_plot_js[] = {
#embed "web/inspector-plot.js"
};
static const unsigned char inspector_js[] = {
#embed "web/inspector.js"
};
static const unsigned char items_js[] = {
#embed "web/items.js"
};
static const unsigned char kits_js[] = {
#embed "web/kits.js"
};
static const unsigned char list_js[] = {
#embed "web/list.js"
};
static const unsigned char mark_svg[] = {
#embed "web/mark.svg"
};
static const unsigned char notices_js[] = {
#embed "web/notices.js"
};
static const unsigned char number_text_js[] = {
#embed "web/number-text.js"
};
static const unsigned char outbox_js[] = {
#embed "web/outbox.js"
};
static const unsigned char outline_js[] = {
#embed "web/outline.js"
};
static const unsigned char pages_css[] = {
#embed "web/pages.css"
};
static const unsigned char profile_js[] = {
#embed "web/profile.js"
};
static const unsigned char question_form_js[] = {
#embed "web/question-form.js"
};
static const unsigned char reading_js[] = {
#embed "web/reading.js"
};
static const unsigned char retired_js[] = {
#embed "web/retired.js"
};
static const unsigned char row_js[] = {
#embed "web/row.js"
};
static const unsigned char rows_view_js[] = {
#embed "web/rows-view.js"
};
static const unsigned char rows_css[] = {
#embed "web/rows.css"
};
static const unsigned char shell_js[] = {
#embed "web/shell.js"
};
static const unsigned char steps_js[] = {
#embed "web/steps.js"
};
static const unsigned char stream_js[] = {
#embed "web/stream.js"
};
static const unsigned char token_js[] = {
#embed "web/token.js"
};
static const unsigned char trouble_js[] = {
#embed "web/trouble.js"
};
static const unsigned char viewport_js[] = {
#embed "web/viewport.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct frontend_file files[] = {
    FILE("answer-tools.js", answer_tools_js),
    FILE("answers.js", answers_js),
    FILE("app.css", app_css),
    FILE("app.js", app_js),
    FILE("docs-curl.js", docs_curl_js),
    FILE("docs-description.js", docs_description_js),
    FILE("docs-operation.js", docs_operation_js),
    FILE("docs-schema.js", docs_schema_js),
    FILE("docs.css", docs_css),
    FILE("docs.html", docs_html),
    FILE("docs.js", docs_js),
    FILE("dom.js", dom_js),
    FILE("drag.js", drag_js),
    FILE("editor.js", editor_js),
    FILE("fonts.js", fonts_js),
    FILE("form.js", form_js),
    FILE("heights.js", heights_js),
    FILE("http.js", http_js),
    FILE("icons.svg", icons_svg),
    FILE("import.js", import_js),
    FILE("index.html", index_html),
    FILE("inspector-controls.js", inspector_controls_js),
    FILE("inspector-plot.js", inspector_plot_js),
    FILE("inspector.js", inspector_js),
    FILE("items.js", items_js),
    FILE("kits.js", kits_js),
    FILE("list.js", list_js),
    FILE("mark.svg", mark_svg),
    FILE("notices.js", notices_js),
    FILE("number-text.js", number_text_js),
    FILE("outbox.js", outbox_js),
    FILE("outline.js", outline_js),
    FILE("pages.css", pages_css),
    FILE("profile.js", profile_js),
    FILE("question-form.js", question_form_js),
    FILE("reading.js", reading_js),
    FILE("retired.js", retired_js),
    FILE("row.js", row_js),
    FILE("rows-view.js", rows_view_js),
    FILE("rows.css", rows_css),
    FILE("shell.js", shell_js),
    FILE("steps.js", steps_js),
    FILE("stream.js", stream_js),
    FILE("token.js", token_js),
    FILE("trouble.js", trouble_js),
    FILE("viewport.js", viewport_js),
};

const size_t frontend_file_count = sizeof files / sizeof files[0];

const struct frontend_file *frontend_table(void) { return files; }

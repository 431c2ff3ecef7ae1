// The access token: kept for this tab's session, asked for when the service wants one.

import { dialog, h, labelled } from "./dom.js";

const key = "interviewkit.token";
let asking = null;

export function token() {
  return sessionStorage.getItem(key);
}

/** Asks once, however many requests were refused; resolves when there is a token to try. */
export function askForToken(reason) {
  asking ??= ask(reason).finally(() => {
    asking = null;
  });
  return asking;
}

async function ask(reason) {
  let given;
  while (!given) {
    given = await dialog("Access token", (close) => {
      const field = h("input", { type: "password", class: "input", autocomplete: "off", required: true, autofocus: true });
      return h("form", { class: "stack", on: {
        submit: (event) => {
          event.preventDefault();
          close(field.value.trim());
        },
      } },
      h("p", { class: "quiet", text: reason }),
      labelled("Token", field, "It is kept until this tab is closed. “interviewkit token create” makes one."),
      h("div", { class: "actions" }, h("button", { class: "button primary", text: "Continue" })));
    });
  }
  sessionStorage.setItem(key, given);
}

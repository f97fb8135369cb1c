// Tells screen readers what matters and no more: what is being done (not every tick of it), and that the answer is finished, with the answer when it is short.

import { say } from "../words.js";

const SHORT = 600;
const announcer = document.getElementById("announcer");

export function announce(text) {
  announcer.textContent = text;
}

export function announceAnswer(message, { found, citations }) {
  if (!found) return announce(say("nothing_found"));
  const text = message.querySelector(".answer-text")?.textContent.trim() ?? "";
  announce(`${say("finished", { count: citations?.length ?? 0 })} ${text.length <= SHORT ? text : ""}`);
}

// <time datetime data-as="day|clock|moment|ago">: written in the reader's own time zone and language. Without scripts the server's text stays.

import { language } from "./words.js";

const FORMS = {
  day: new Intl.DateTimeFormat(language, { dateStyle: "medium" }),
  clock: new Intl.DateTimeFormat(language, { timeStyle: "short" }),
  moment: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
};
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const STEPS = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

function ago(moment) {
  const passed = (moment - Date.now()) / 1000;
  for (const [unit, length] of STEPS) if (Math.abs(passed) >= length) return relative.format(Math.trunc(passed / length), unit);
  return relative.format(0, "second");
}

export function localise(root = document) {
  for (const element of root.querySelectorAll("time[data-as]")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    element.textContent = element.dataset.as === "ago" ? ago(moment) : FORMS[element.dataset.as].format(moment);
    element.title = FORMS.moment.format(moment);
  }
}

localise();
// At once after a swap, before it is painted, so that a page that renews itself does not flicker.
document.addEventListener("htmx:afterSwap", (event) => localise(event.target));
document.addEventListener("htmx:load", (event) => localise(event.target));

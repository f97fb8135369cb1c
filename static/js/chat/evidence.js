// The evidence panel: a click on a citation opens its section with the sentence marked and scrolled to; next and previous walk through the sources of the answer.
// Beside the talk where there is room, a sheet over it where there is not. Closing gives the focus back to the citation.

import { address } from "../server.js";
import { localise } from "../times.js";
import { say } from "../words.js";
import { hide } from "./cite-card.js";
import { of } from "./citations.js";

const panel = document.getElementById("evidence-panel");
const body = document.getElementById("evidence-body");
const placeLine = document.getElementById("evidence-place");
const isNarrow = matchMedia("(max-width: 63.99rem)");
let opener = null;
let message = null;
let current = 0;
let asked = 0;

export async function open(chip) {
  if (!panel.open) opener = chip;
  const cited = chip.closest(".message");
  if (!cited?.dataset.id) return;
  message = cited;
  hide();
  if (!panel.open) isNarrow.matches ? panel.showModal() : panel.show();
  await show(Number(chip.dataset.n));
}

async function show(n) {
  current = n;
  const numbers = of(message).map((citation) => citation.n);
  placeLine.textContent = say("source_place", { n: numbers.indexOf(n) + 1, count: numbers.length });
  panel.querySelector('[data-walks="-1"]').disabled = numbers.indexOf(n) <= 0;
  panel.querySelector('[data-walks="1"]').disabled = numbers.indexOf(n) === numbers.length - 1;
  mark(n);
  const turn = ++asked;
  const slow = setTimeout(() => body.replaceChildren(document.getElementById("loading-template").content.cloneNode(true)), 200);
  const fragment = await fetchFragment(n);
  clearTimeout(slow);
  if (turn !== asked) return;
  body.replaceChildren(fragment);
  localise(body);
  body.focus({ preventScroll: true });
  // only the panel may scroll, so not scrollIntoView
  const sentence = body.querySelector("#evidence");
  const below = sentence ? sentence.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop : 0;
  body.scrollTop = Math.max(0, below - body.clientHeight / 3);
}

async function fetchFragment(n) {
  try {
    const response = await fetch(address(`evidence/${message.dataset.id}/${n}/`), { credentials: "same-origin", headers: { "HX-Request": "true" } });
    if (response.redirected) return sorry(say("signed_out"));
    if (!response.ok) throw new Error(String(response.status));
    return document.createRange().createContextualFragment(await response.text());
  } catch {
    return sorry(say("offline"));
  }
}

function sorry(sentence) {
  const notice = document.createElement("p");
  notice.className = "notice notice--fault";
  notice.textContent = sentence;
  return notice;
}

function mark(n) {
  for (const other of document.querySelectorAll('.cite[aria-current="true"], .source[aria-current="true"]')) other.removeAttribute("aria-current");
  if (n) for (const chip of message.querySelectorAll(`.cite[data-n="${n}"], .source[data-n="${n}"]`)) chip.setAttribute("aria-current", "true");
}

export function walk(step) {
  const numbers = of(message).map((citation) => citation.n);
  const next = numbers[numbers.indexOf(current) + step];
  if (next !== undefined) show(next);
}

export function close() {
  if (!panel.open) return false;
  panel.close();
  return true;
}

panel.addEventListener("close", () => {
  mark(0);
  if (opener?.isConnected) opener.focus({ preventScroll: true });
  hide();
  opener = null;
});
panel.addEventListener("click", (event) => {
  const step = event.target.closest("[data-walks]")?.dataset.walks;
  if (step) walk(Number(step));
  if (event.target.closest("[data-closes-evidence]") || event.target === panel) close();
});
panel.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") walk(-1);
  if (event.key === "ArrowRight") walk(1);
});
isNarrow.addEventListener("change", close);

document.addEventListener("click", (event) => {
  const chip = event.target.closest(".message .cite, .message .source");
  if (!chip || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  open(chip);
});

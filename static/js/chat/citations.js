// What a message cites: of(message) gives the citations of its JSON island, chip(n) a chip while the answer is still arriving, find(chip) what a chip points at.

import { say } from "../words.js";

const arriving = new WeakMap();
const template = document.getElementById("cite-template");

export function island(message, name) {
  const json = message.querySelector(`[data-json="${name}"] script`);
  return json ? JSON.parse(json.textContent) : null;
}

export function of(message) {
  return arriving.get(message) ?? island(message, "citations") ?? [];
}

export function expect(message) {
  arriving.set(message, []);
}

export function arrived(message, citation) {
  arriving.get(message)?.push(citation);
  for (const chip of message.querySelectorAll(`.cite[data-n="${citation.n}"]`)) name(chip, citation);
}

export function chip(message, n) {
  const made = template.content.firstElementChild.cloneNode(true);
  made.dataset.n = n;
  made.firstElementChild.textContent = n;
  const citation = of(message).find((known) => known.n === n);
  name(made, citation ?? { n, document_title: "" });
  return made;
}

function name(made, citation) {
  made.setAttribute("aria-label", say("source", { n: citation.n, title: citation.document_title }));
  if (citation.url) made.href = citation.url;
  else made.removeAttribute("href");
  made.tabIndex = 0;
}

export function find(chip) {
  const n = Number(chip.dataset.n);
  return of(chip.closest(".message")).find((citation) => citation.n === n);
}

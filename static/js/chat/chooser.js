// The choice of knowledge bases: all unless changed, never none; a conversation keeps its own, a new one begins with the last choice. The summary says it in words,
// and the start page shows what is chosen.

import { say } from "../words.js";
import { keep, recall } from "./drafts.js";

const chooser = document.querySelector(".chooser");

if (chooser) {
  const boxes = [...chooser.querySelectorAll("[name=base]")];
  const isNew = document.getElementById("messages").dataset.conversation === "";
  const left = (isNew && recall("bases_left_out")) || [];
  if (boxes.some((box) => !left.includes(box.value))) for (const box of boxes) if (left.includes(box.value)) box.checked = false;

  const show = () => {
    const chosen = boxes.filter((box) => box.checked);
    const name = (box) => box.closest("label").querySelector("span").textContent;
    const words = { 1: () => name(chosen[0]), [boxes.length]: () => chooser.dataset.all };
    chooser.querySelector("[data-summary]").textContent = (words[chosen.length] ?? (() => say("chosen", { chosen: chosen.length, all: boxes.length })))();
    for (const base of document.querySelectorAll(".start-base")) base.hidden = !chosen.some((box) => box.value === base.dataset.slug);
  };

  chooser.addEventListener("change", (event) => {
    if (!boxes.some((box) => box.checked)) event.target.checked = true;
    keep("bases_left_out", boxes.filter((box) => !box.checked).map((box) => box.value));
    show();
  });
  chooser.querySelector("[data-chooses-all]").addEventListener("click", () => {
    for (const box of boxes) box.checked = true;
    keep("bases_left_out", []);
    show();
  });
  show();
}

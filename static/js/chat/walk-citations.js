// Arrow keys walk from one citation to the next inside an answer while a citation holds the focus; Enter and Space open it.

import { open } from "./evidence.js";

const STEP = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const chip = event.target instanceof Element && event.target.closest(".message .cite");
  if (!chip || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " || (event.key === "Enter" && !chip.href)) {
    event.preventDefault();
    open(chip);
  }
  if (!STEP[event.key]) return;
  const chips = [...chip.closest(".message").querySelectorAll(".cite")];
  const next = chips[chips.indexOf(chip) + STEP[event.key]];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// The card of a citation: hovering over a chip or focusing it shows title, place and sentence; the pointer may move onto the card; Esc takes it away.

import { say } from "../words.js";
import { find } from "./citations.js";

const WAIT_MS = 150;
const card = document.getElementById("cite-card");
let timer = 0;
let shownFor = null;

function show(chip) {
  const citation = find(chip);
  if (!citation || !chip.isConnected) return;
  card.querySelector(".cite-card-title").textContent = citation.deleted ? say("source_deleted") : citation.document_title;
  const page = citation.page ? [say("page", { page: citation.page })] : [];
  card.querySelector(".cite-card-where").textContent = [...(citation.heading_path ?? []), ...page].join(" › ");
  const quote = card.querySelector("blockquote");
  quote.textContent = citation.text ?? "";
  quote.hidden = !citation.text;
  shownFor = chip;
  chip.setAttribute("aria-describedby", "cite-card");
  card.showPopover();
  place(chip);
}

function place(chip) {
  const at = chip.getClientRects()[0];
  const size = card.getBoundingClientRect();
  const above = at.top - size.height - 8;
  card.style.left = `${Math.max(12, Math.min(at.left - 16, innerWidth - size.width - 12))}px`;
  card.style.top = `${above > 8 ? above : at.bottom + 8}px`;
}

export function hide() {
  clearTimeout(timer);
  shownFor?.removeAttribute("aria-describedby");
  shownFor = null;
  if (card.matches(":popover-open")) card.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const chip = event.target.closest?.(".cite");
  clearTimeout(timer);
  if (chip) timer = setTimeout(() => chip !== shownFor && show(chip), WAIT_MS);
  else if (shownFor && !card.contains(event.target) && shownFor !== document.activeElement) timer = setTimeout(hide, WAIT_MS);
});
document.addEventListener("focusin", (event) => {
  hide();
  if (event.target.matches(".cite:focus-visible")) show(event.target);
});
document.addEventListener("focusout", (event) => event.target === shownFor && hide());
document.addEventListener("scroll", hide, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shownFor) {
    event.stopPropagation();
    hide();
  }
}, true);

// The button that shows and hides the conversations: folds the column where there is one (remembered), opens a drawer where there is not.

import { keep, recall } from "./drafts.js";

const chat = document.getElementById("chat");
const drawer = document.getElementById("conversations");
const button = document.querySelector("[data-folds-conversations]");
const isNarrow = matchMedia("(max-width: 63.99rem)");

function arrange() {
  if (isNarrow.matches) drawer.popover = "auto";
  else drawer.removeAttribute("popover");
  chat.toggleAttribute("data-folded", !isNarrow.matches && recall("conversations_folded") === true);
  button.setAttribute("aria-expanded", String(isNarrow.matches ? false : !chat.hasAttribute("data-folded")));
}

button.addEventListener("click", () => {
  if (isNarrow.matches) return drawer.togglePopover();
  keep("conversations_folded", !chat.hasAttribute("data-folded"));
  arrange();
});
drawer.addEventListener("toggle", (event) => button.setAttribute("aria-expanded", String(event.newState === "open")));
isNarrow.addEventListener("change", arrange);
arrange();

// Keys of the whole page: / to write, ? for the list of keys, Esc to stop the answer or close the evidence. Never while an input method is composing.

import { close } from "./evidence.js";
import { stop } from "./talk.js";

const isWriting = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && !document.querySelector("dialog:modal, :popover-open")) {
    if (!stop()) close();
  } else if (!isWriting(event.target) && !document.querySelector("dialog:modal")) {
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("question").focus();
    }
    if (event.key === "?") document.getElementById("keys-dialog").showModal();
  }
});

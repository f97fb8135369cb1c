// Keys: j/k and arrows walk, u undoes, ? lists them; any other letter presses the button of the current item (or of the bar) whose <kbd> names it. Not while one writes or a dialog is open.

import { current, walk } from "./walk.js";
import { undo } from "./undo.js";

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

function isBusy(event) {
  const writes = event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable], .menu[open]");
  return event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || writes || document.querySelector("dialog:modal");
}

function buttonFor(key) {
  const named = (root) => [...(root?.querySelectorAll("button, a.button") ?? [])].find((each) => each.querySelector("kbd")?.textContent === key);
  return named(current()) ?? named(document.querySelector(".desk-bar"));
}

document.addEventListener("keydown", (event) => {
  if (isBusy(event)) return;
  if (STEPS[event.key]) walk(STEPS[event.key]);
  else if (event.key === "u") undo();
  else if (event.key === "?") document.getElementById("desk-keys").showModal();
  else if (event.key.length === 1 && buttonFor(event.key)) buttonFor(event.key).click();
  else if (!document.dispatchEvent(new CustomEvent("desk:key", { detail: event, cancelable: true }))) event.preventDefault();
  else return;
  event.preventDefault();
});

// Thumbs: up is sent at once, down asks for a reason; pressing the same thumb again takes it back.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";

const dialog = document.getElementById("feedback-dialog");

async function send(message, feedback) {
  try {
    const kept = await call("POST", `api/v1/messages/${message.dataset.id}/feedback`, feedback);
    for (const thumb of message.querySelectorAll("[data-rates]")) thumb.setAttribute("aria-pressed", String(Number(thumb.dataset.rates) === kept.value));
    if (kept.value) toast(say("thanks"), "success");
  } catch (fault) {
    toast(fault.message, "error");
  }
}

function askReason(message) {
  const form = dialog.querySelector("form");
  form.reset();
  dialog.returnValue = "";
  dialog.showModal();
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "send") send(message, { value: -1, reason: form.elements.reason.value, note: form.elements.note.value.trim() });
  }, { once: true });
}

document.addEventListener("click", (event) => {
  const thumb = event.target.closest("[data-rates]");
  if (!thumb) return;
  const message = thumb.closest(".message");
  const value = Number(thumb.dataset.rates);
  if (thumb.getAttribute("aria-pressed") === "true") send(message, { value: 0, reason: "", note: "" });
  else if (value > 0) send(message, { value, reason: "", note: "" });
  else askReason(message);
});

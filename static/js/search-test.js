// The switch of a chunk on the search test: off at once, and on again by the same button.

import { call } from "./server.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-switches]");
  if (!button) return;
  const id = button.dataset.switches;
  const places = document.querySelectorAll(`[data-chunk="${CSS.escape(id)}"]`);
  const isOff = button.closest("[data-chunk]").classList.contains("is-off");
  button.disabled = true;
  try {
    await call("PATCH", `api/v1/chunks/${id}`, { is_disabled: !isOff });
    for (const place of places) {
      place.classList.toggle("is-off", !isOff);
      place.querySelector("[data-switches] span").textContent = say(isOff ? "switch_off" : "switch_on");
    }
    toast(say(isOff ? "switched_on" : "switched_off"), "success");
  } catch (fault) {
    toast(fault.message, "error");
  } finally {
    button.disabled = false;
  }
});

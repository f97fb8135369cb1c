// Kinds of cases: ignore for ever, take for something declared, propose as a change; single cases: dismiss, or say whom a name means.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { remember } from "./undo.js";
import { current, settle } from "./walk.js";

const list = document.querySelector("[data-list]");

list?.addEventListener("click", async (event) => {
  const card = event.target.closest("[data-kind]");
  const button = event.target.closest("[data-deed]");
  if (!card || !button || button.dataset.deed === "propose") return;
  const one = button.closest("[data-case]");
  try {
    if (one) await decideCase(card, one, button);
    else await decideKind(card, button.dataset.deed);
  } catch (refused) {
    toast(refused.message, "error");
  }
});

async function decideKind(card, action) {
  const choice = card.querySelector("[data-becomes]");
  if (action === "map" && !choice.value) return void choice.focus();
  const { reason, about } = card.dataset;
  const path = `api/v1/graphs/${document.getElementById("desk").dataset.graph}/quarantine/decide`;
  const done = await call("POST", path, { reason, about, action, becomes: action === "map" ? choice.value : "" });
  remember("DELETE", `api/v1/quarantine-rules/${done.rule}`);
  settle(card);
  toast(say(action === "map" ? "done_map" : "done_ignore"), "success");
  return undefined;
}

async function decideCase(card, one, button) {
  const path = `api/v1/quarantine/${one.dataset.case}`;
  if (button.dataset.deed === "means") {
    const done = await call("POST", `${path}/means`, { entity: button.dataset.entity, in_document: one.querySelector("[data-whole]").checked });
    for (const id of done.cases) card.querySelector(`[data-case="${id}"]`)?.remove();
    toast(say("done_means"), "success");
  } else {
    await call("POST", `${path}/dismiss`);
    remember("DELETE", `${path}/dismiss`);
    toast(say("done_dismiss"), "success");
  }
  one.remove();
  if (!card.querySelector("[data-case]")) settle(card);
  else card.focus({ preventScroll: true });
}

document.addEventListener("desk:key", (event) => {
  if (event.detail.key !== "r" || !current()?.matches("[data-kind]")) return;
  event.preventDefault();
  current().querySelector("[data-case] [data-deed=dismiss]")?.click();
});

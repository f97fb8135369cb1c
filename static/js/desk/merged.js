// Merges and decisions for ever, taken back.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { remember } from "./undo.js";
import { settle } from "./walk.js";

document.querySelector("[data-list]")?.addEventListener("click", async (event) => {
  const card = event.target.closest("[data-merged], [data-rule]");
  const deed = event.target.closest("[data-deed]")?.dataset.deed;
  if (!card || !deed) return;
  try {
    const word = await (deed === "unmerge" ? unmerged(card) : reopened(card));
    settle(card);
    toast(say(word), "success");
  } catch (refused) {
    toast(refused.message, "error");
  }
});

async function unmerged(card) {
  const id = card.dataset.merged;
  await call("POST", `api/v1/entities/${id}/unmerge`, { revision: Number(card.dataset.revision) });
  remember("POST", `api/v1/entities/${card.dataset.into}/merge`, { others: [id] });
  return "done_unmerge";
}

async function reopened(card) {
  const { rule, reason, about, action, becomes } = card.dataset;
  await call("DELETE", `api/v1/quarantine-rules/${rule}`);
  remember("POST", `api/v1/graphs/${document.getElementById("desk").dataset.graph}/quarantine/decide`, { reason, about, action, becomes });
  return "done_reopened";
}

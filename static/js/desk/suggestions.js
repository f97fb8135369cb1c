// Pairs: merge, different, later. When another editor was quicker, the pair as it is now comes beside the one that was looked at, with what they did.

import { address, call } from "../server.js";
import { localise } from "../times.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { merge } from "./merge.js";
import { remember } from "./undo.js";
import { select, settle } from "./walk.js";

const since = new Date().toISOString();
const DEEDS = { merge: merged, different, later: moved, reopen: moved, may_merge: mayMerge, seen };

document.querySelector("[data-list]")?.addEventListener("click", async (event) => {
  const card = event.target.closest("[data-suggestion]");
  const deed = event.target.closest("[data-deed]")?.dataset.deed;
  if (!card || !deed) return;
  try {
    const word = await DEEDS[deed](card, deed);
    if (!word) return;
    settle(card);
    toast(say(word), "success");
  } catch (refused) {
    if (refused.status === 409) await stale(card);
    else toast(refused.message, "error");
  }
});

const end = (card, side) => ({ id: card.dataset[side], name: card.dataset[`${side}Name`], revision: card.dataset[`${side}Revision`] });

async function merged(card) {
  const dialog = document.getElementById("desk-merge");
  const onStale = () => { dialog.close(); stale(card); };
  dialog.addEventListener("desk:stale", onStale, { once: true });
  const result = await merge([end(card, "left"), end(card, "right")], card.dataset[card.dataset.into]);
  dialog.removeEventListener("desk:stale", onStale);
  if (!result) return undefined;
  remember("POST", `api/v1/entities/${result.others[0]}/unmerge`, {});
  return "done_merge";
}

async function different(card) {
  const revisions = { [card.dataset.left]: Number(card.dataset.leftRevision), [card.dataset.right]: Number(card.dataset.rightRevision) };
  await call("POST", `api/v1/suggestions/${card.dataset.suggestion}/decide`, { decision: "different", revisions });
  remember("DELETE", `api/v1/entities/${card.dataset.left}/keep-apart`, { other: card.dataset.right });
  return "done_different";
}

async function moved(card, decision) {
  const path = `api/v1/suggestions/${card.dataset.suggestion}/decide`;
  await call("POST", path, { decision });
  if (decision === "later") remember("POST", path, { decision: "reopen" });
  return decision === "later" ? "done_later" : "done_reopen";
}

async function mayMerge(card) {
  await call("DELETE", `api/v1/entities/${card.dataset.left}/keep-apart`, { other: card.dataset.right });
  return "done_reopen";
}

// What others have decided was read: it goes, with the card that was looked at.
function seen(card) {
  if (card.previousElementSibling?.inert) card.previousElementSibling.remove();
  settle(card);
  return undefined;
}

// Nothing was done. The old card stays to be compared with, out of reach; the new one takes its place.
async function stale(card) {
  const response = await fetch(address(`desk/suggestions/${card.dataset.suggestion}/?since=${encodeURIComponent(since)}`), { credentials: "same-origin" });
  if (!response.ok) return void location.reload();
  const holder = document.createElement("ol");
  holder.innerHTML = await response.text();
  const fresh = holder.querySelector("[data-card]");
  card.inert = true;
  card.after(fresh);
  localise(fresh);
  select(fresh);
  return undefined;
}

// The table of entities: choose some (or the current one), then confirm, reject, merge, declare different, or split it. Bulk deeds are shown before they are done.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { ask } from "./dialog.js";
import { merge } from "./merge.js";
import { split } from "./split.js";
import { remember } from "./undo.js";
import { cards, current } from "./walk.js";

const bar = document.querySelector(".desk-bar");
const all = document.querySelector("[data-all]");
const DEEDS = { confirm: () => judge("confirmed"), reject: () => judge("rejected"), merge: mergeChosen, different, split: splitCurrent };

const box = (card) => card.querySelector("[data-choose]");
const plain = (card) => ({ id: card.dataset.entity, name: card.dataset.name, revision: card.dataset.revision });
const ticked = () => cards().filter((card) => box(card)?.checked);
const chosen = () => (ticked().length ? ticked() : [current()].filter(Boolean)).map(plain);

function count() {
  const number = ticked().length;
  for (const card of cards()) card.setAttribute("aria-selected", String(Boolean(box(card)?.checked)));
  bar.querySelector("[data-count]").textContent = number ? say("chosen", { count: number }) : "\u00a0";
  all.checked = number > 0 && number === cards().length;
}

async function judge(state) {
  const judgements = chosen().map((each) => ({ entity: each.id, state, revision: Number(each.revision) }));
  if (!judgements.length) return void toast(say("choose_some"));
  const path = `api/v1/graphs/${document.getElementById("desk").dataset.graph}/judgements`;
  const prepare = async (dialog) => {
    for (const title of dialog.querySelectorAll("[data-title]")) title.hidden = title.dataset.title !== state;
    preview(dialog, []);
    preview(dialog, await call("POST", path, { judgements, preview: true }));
  };
  const done = await ask("desk-bulk", prepare, () => call("POST", path, { judgements }));
  if (!done) return undefined;
  remember("POST", path, { judgements: done.map((row) => ({ entity: row.entity, state: row.before, revision: row.revision })) });
  return again(say("done_judged", { count: done.length }));
}

function preview(dialog, rows) {
  dialog.querySelector("[data-preview]").replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr");
    const cells = [row.name, say(`state_${row.before}`), say(`state_${row.after}`), String(row.support)];
    line.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    line.lastChild.className = "numbers";
    return line;
  }));
}

async function mergeChosen() {
  const entities = chosen();
  if (entities.length < 2) return void toast(say("choose_two"));
  const result = await merge(entities, entities[0].id);
  if (!result) return undefined;
  for (const id of result.others) remember("POST", `api/v1/entities/${id}/unmerge`, {});
  return again(say("done_merge"));
}

async function different() {
  const pair = chosen();
  if (pair.length !== 2) return void toast(say("choose_pair"));
  const [one, other] = pair;
  await call("POST", `api/v1/entities/${one.id}/keep-apart`, { other: other.id, revision: Number(one.revision) });
  remember("DELETE", `api/v1/entities/${one.id}/keep-apart`, { other: other.id });
  return again(say("done_different"));
}

async function splitCurrent() {
  const card = current();
  const parted = card && (await split(card.dataset.entity));
  if (!parted) return undefined;
  remember("POST", `api/v1/entities/${parted.entity}/merge`, { others: [parted.new.id] });
  return again(say("done_split"));
}

function again(words) {
  sessionStorage.setItem("desk-toast", words);
  location.reload();
}

if (bar) {
  bar.addEventListener("click", async (event) => {
    const deed = event.target.closest("[data-deed]")?.dataset.deed;
    try {
      if (deed) await DEEDS[deed]();
    } catch (refused) {
      toast(refused.message, "error");
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target === all) for (const card of cards()) box(card).checked = all.checked;
    if (event.target.matches("[data-choose], [data-all]")) count();
  });
  document.addEventListener("desk:key", (event) => {
    const { key, target } = event.detail;
    if (key === "x" && current()) {
      box(current()).click();
      event.preventDefault();
    } else if (key === "Enter" && current() && !target.closest("a, button, input")) {
      event.preventDefault();
      location.assign(current().querySelector("a").href);
    }
  });
}

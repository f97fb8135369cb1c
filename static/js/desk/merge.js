// Merging with a look before: merge(entities, into) with [{id, name, revision}] opens the dialog that tells what would be joined and which name stays; gives {into, others} when it was done.

import { call } from "../server.js";
import { say } from "../words.js";
import { ask } from "./dialog.js";

const PATH = (id) => `api/v1/entities/${id}/merge`;

export function merge(entities, into) {
  const chosen = (dialog) => dialog.querySelector("[name=stays]:checked").value;
  const others = (id) => entities.filter((each) => each.id !== id).map((each) => each.id);
  const look = async (dialog) => tell(dialog, await call("POST", PATH(chosen(dialog)), { others: others(chosen(dialog)), preview: true }));
  const prepare = (dialog) => {
    const stays = dialog.querySelector("[data-stays]");
    stays.replaceChildren(...entities.map((each) => choice(each, each.id === into)));
    stays.onchange = () => look(dialog);
    return look(dialog);
  };
  return ask("desk-merge", prepare, async (dialog) => {
    const id = chosen(dialog);
    const revisions = Object.fromEntries(entities.map((each) => [each.id, Number(each.revision)]));
    await call("POST", PATH(id), { others: others(id), revisions });
    return { into: id, others: others(id) };
  });
}

function choice(entity, isChosen) {
  const label = document.createElement("label");
  const radio = Object.assign(document.createElement("input"), { type: "radio", name: "stays", value: entity.id, defaultChecked: isChosen, checked: isChosen });
  label.append(radio, entity.name);
  return label;
}

function tell(dialog, preview) {
  const lines = [
    say("would_names", { names: preview.names.join(", ") }),
    say("would_mentions", { count: preview.mentions }),
    say("would_relations", { count: preview.relations }),
  ].map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  if (preview.classes_differ) lines.push(bad(say("would_classes")));
  if (preview.contradictions.length) lines.push(bad(say("would_contradict", { names: preview.contradictions.join(", ") })));
  dialog.querySelector("[data-would]").replaceChildren(...lines);
}

function bad(text) {
  return Object.assign(document.createElement("li"), { textContent: text, className: "is-bad" });
}

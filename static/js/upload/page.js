// The upload page: what is chosen or dropped is listed, sent in pieces, and shown as a plan by the server's next page.

import { say } from "../words.js";
import { draw } from "./chosen.js";
import { dropped, picked } from "./gather.js";
import { send } from "./send.js";
import { size } from "./size.js";

const form = document.getElementById("upload-form");
const part = (name) => form.querySelector(`[data-${name}]`);
const zone = part("drop");
const files = new Map();
let stopping = null;

for (const element of form.querySelectorAll("[data-needs-script]")) element.hidden = false;

function add(found) {
  for (const file of found) files.set(file.path, file);
  show();
}

function show() {
  tell("");
  draw(form, files, (path) => {
    files.delete(path);
    show();
  });
  const large = [...files.values()].find((each) => each.file.size > Number(form.dataset.limit));
  if (large) tell(say("too_large", { path: large.path }));
}

function tell(fault) {
  part("fault").hidden = !fault;
  part("fault").textContent = fault;
}

for (const id of ["files", "folder"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", () => {
    add(picked(input.files));
    input.value = "";
  });
}

for (const name of ["dragenter", "dragover"]) {
  zone.addEventListener(name, (event) => {
    event.preventDefault();
    zone.classList.add("is-over");
  });
}
zone.addEventListener("dragleave", (event) => zone.contains(event.relatedTarget) || zone.classList.remove("is-over"));
zone.addEventListener("drop", async (event) => {
  event.preventDefault();
  zone.classList.remove("is-over");
  add(await dropped(event.dataTransfer));
});
part("clear").addEventListener("click", () => {
  files.clear();
  show();
});
part("stop").addEventListener("click", () => stopping?.abort());

function busy(is) {
  for (const name of ["progress", "stop"]) part(name).hidden = !is;
  for (const control of form.querySelectorAll("select, input, [data-send], [data-clear], .chosen-list button")) control.disabled = is;
}

function progress(sent, total) {
  const bar = part("progress").querySelector("progress");
  bar.value = total ? sent / total : 1;
  part("words").textContent = say(sent < total ? "sending" : "examining");
  part("rest").textContent = say("sent_of", { sent: size(sent), total: size(total) });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const kb = form.elements.kb.value;
  if (!kb) return tell(say("choose_base"));
  if (!files.size) return tell(say("choose_files"));
  tell("");
  busy(true);
  stopping = new AbortController();
  try {
    const id = await send(kb, [...files.values()], progress, stopping.signal);
    location.assign(form.dataset.plan.replace("00000000-0000-0000-0000-000000000000", id));
  } catch (error) {
    busy(false);
    tell(error.message);
  }
});

// The list of what was chosen: a line with the sum, the first files, and a button that leaves one out.

import { say } from "../words.js";
import { size } from "./size.js";

const SHOWN = 300;

export function draw(form, files, leaveOut) {
  const place = form.querySelector("[data-chosen]");
  const list = form.querySelector("[data-list]");
  const row = document.getElementById("chosen-row").content.firstElementChild;
  const bytes = [...files.values()].reduce((sum, each) => sum + each.file.size, 0);
  place.hidden = !files.size;
  form.querySelector("[data-summary]").textContent = say("chosen", { count: files.size, size: size(bytes) });
  list.replaceChildren();
  for (const { path, file } of [...files.values()].slice(0, SHOWN)) {
    const item = row.cloneNode(true);
    item.querySelector(".chosen-path").textContent = path;
    item.querySelector(".chosen-size").textContent = size(file.size);
    const button = item.querySelector("button");
    button.setAttribute("aria-label", say("remove", { path }));
    button.addEventListener("click", () => leaveOut(path));
    list.append(item);
  }
  if (files.size > SHOWN) {
    const more = document.createElement("li");
    more.textContent = say("and_more", { count: files.size - SHOWN });
    list.append(more);
  }
}

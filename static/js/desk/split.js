// Splitting by documents: split(entity id, chosen ids) opens the dialog with the documents that name it; gives {entity, new} when it was done.

import { address, call } from "../server.js";
import { ask } from "./dialog.js";

export function split(id, chosen = []) {
  const prepare = async (dialog) => {
    const response = await fetch(address(`desk/entities/${id}/documents`), { credentials: "same-origin" });
    const place = dialog.querySelector("[data-documents]");
    place.innerHTML = response.ok ? await response.text() : "";
    for (const box of place.querySelectorAll("[name=document]")) box.checked = chosen.includes(box.value);
  };
  return ask("desk-split", prepare, async (dialog) => {
    const documents = [...dialog.querySelectorAll("[name=document]:checked")].map((box) => box.value);
    const revision = Number(dialog.querySelector("[data-revision]").dataset.revision);
    return { entity: id, new: await call("POST", `api/v1/entities/${id}/split`, { documents, revision }) };
  });
}

// What editors do: <form data-deed data-path [data-method]> is sent as JSON to the API with the revision that the page shows. When it is done the page is loaded anew; what is
// wrong is said in the form, or as a toast where it has no place for that. Fields with data-number are numbers, data-flag yes or no; empty ones are left out.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-deed]");
  if (!form) return;
  event.preventDefault();
  const picker = form.querySelector("entity-picker");
  if (picker && !picker.value) return fault(form, say("choose_one"));
  for (const button of form.querySelectorAll("button:not([type=button])")) button.disabled = true;
  try {
    await call(form.dataset.method ?? "POST", form.dataset.path, bodyOf(form));
    location.reload();
  } catch (refused) {
    fault(form, refused.message, refused.status === 409);
    for (const button of form.querySelectorAll("button")) button.disabled = false;
  }
  return undefined;
});

export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.value === "") continue;
    if (field.dataset.flag !== undefined) body[field.name] = field.value === "true";
    else if (field.dataset.number !== undefined) body[field.name] = Number(field.value);
    else body[field.name] = field.name === "others" ? [field.value] : field.value;
    if (field.dataset.directed !== undefined) body.incoming = field.selectedOptions[0].dataset.incoming !== undefined;
  }
  return body;
}

function fault(form, text, isStale = false) {
  const place = form.querySelector(".deed-fault");
  if (!place) return void toast(text, "error");
  place.replaceChildren(text);
  if (isStale) {
    const again = Object.assign(document.createElement("button"), { type: "button", className: "button button--small", textContent: say("look_again") });
    again.addEventListener("click", () => location.reload());
    place.append(" ", again);
  }
  place.hidden = false;
  return undefined;
}

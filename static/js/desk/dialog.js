// A dialog that asks once more: ask(id, prepare, go) opens it, and resolves to what go() gave, or undefined when it was closed. What go() is refused with is said in the dialog.

import { say } from "../words.js";

export function ask(id, prepare, go) {
  const dialog = document.getElementById(id);
  const form = dialog.querySelector("form");
  const place = dialog.querySelector(".deed-fault");
  place.hidden = true;
  return new Promise((resolve) => {
    const closed = () => finish(undefined);
    const finish = (value) => {
      form.removeEventListener("submit", sent);
      dialog.removeEventListener("close", closed);
      if (dialog.open) dialog.close();
      resolve(value);
    };
    const sent = async (event) => {
      event.preventDefault();
      const button = form.querySelector("[data-go]");
      button.disabled = true;
      try {
        finish(await go(dialog));
      } catch (refused) {
        fault(place, refused);
        if (refused.status === 409) dialog.dispatchEvent(new CustomEvent("desk:stale", { detail: refused }));
      }
      button.disabled = false;
    };
    form.addEventListener("submit", sent);
    dialog.addEventListener("close", closed);
    Promise.resolve(prepare(dialog)).then(() => dialog.open || dialog.showModal(), (refused) => { dialog.showModal(); fault(place, refused); });
  });
}

function fault(place, refused) {
  place.replaceChildren(refused.message);
  if (refused.status === 409) {
    const again = Object.assign(document.createElement("button"), { type: "button", className: "button button--small", textContent: say("look_again") });
    again.addEventListener("click", () => location.reload());
    place.append(" ", again);
  }
  place.hidden = false;
}

// Dialogs: data-opens="ID" opens the <dialog>, data-closes closes the one around it, so does a click beside it. A form with data-type-name can be sent only
// when that name has been typed.

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (event.target.closest("[data-closes]")) event.target.closest("dialog")?.close("cancel");
  if (event.target.matches("dialog.dialog:modal") && isBeside(event)) event.target.close("cancel");
});

function isBeside(event) {
  const box = event.target.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

document.addEventListener("submit", (event) => {
  const name = event.target.dataset.typeName;
  if (name && event.target.elements.confirm?.value.trim() !== name) {
    event.preventDefault();
    event.target.elements.confirm.focus();
    event.target.elements.confirm.setAttribute("aria-invalid", "true");
  }
});

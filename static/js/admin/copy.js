// A button [data-copies] puts the text of the field that it names into the clipboard, and says so.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done;
  } catch {
    // not over plain HTTP: the text is selected and can be copied by hand
  }
});

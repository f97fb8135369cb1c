// Menus made of <details class="menu">: one open at a time; Esc and a click elsewhere close it; focus goes back to its button.

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = event.target instanceof Element && event.target.closest("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  event.stopPropagation();
  menu.open = false;
  menu.querySelector("summary").focus();
}, true);

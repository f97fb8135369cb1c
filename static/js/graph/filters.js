// A choice with data-sends sends its form at once, where htmx has not taken that over; and forms that editors send.

import "./deed.js";

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-sends]")?.form;
  if (form && !form.hasAttribute("hx-get")) form.requestSubmit();
});

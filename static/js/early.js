// What a person does before the page's scripts are there is kept and done when they are: a click on a button that only a script answers, a form that only a script sends, and
// Enter where it sends (<textarea data-enter-sends>).
// Without this the browser would swallow the click, or send the form as a question to the page itself. A plain script, because the scripts it waits for are modules.
(() => {
  const early = new Map();
  const SENDS = ":is([hx-get], [hx-post], [hx-put], [hx-patch], [hx-delete])";

  function keep(event, element, again) {
    event.preventDefault();
    event.stopImmediatePropagation();
    early.set(element, again);
  }

  function clicked(event) {
    const button = event.target.closest(`button[type=button], button${SENDS}`);
    if (button) keep(event, button, () => button.click());
  }

  function sent(event) {
    const form = event.target;
    if (form.hasAttribute("method") && !form.matches(`[data-deed], [data-type-name], ${SENDS}`)) return;
    keep(event, form, () => form.requestSubmit(event.submitter));
  }

  function typed(event) {
    const isPlain = event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
    const isTouch = matchMedia("(hover: none) and (pointer: coarse)").matches;
    if (isPlain && !isTouch && event.target.matches("[data-enter-sends]")) keep(event, event.target.form, () => event.target.form.requestSubmit());
  }

  document.addEventListener("keydown", typed, true);
  document.addEventListener("click", clicked, true);
  document.addEventListener("submit", sent, true);
  document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
    document.removeEventListener("keydown", typed, true);
    document.removeEventListener("click", clicked, true);
    document.removeEventListener("submit", sent, true);
    for (const [element, again] of early) if (element.isConnected) again();
  }));
})();

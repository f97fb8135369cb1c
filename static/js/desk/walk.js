// The current item of the list: the first at the beginning, then where j and k (or the arrows) go, or what is clicked.

const list = document.querySelector("[data-list]");

export function cards() {
  return list ? [...list.querySelectorAll("[data-card]:not([inert])")] : [];
}

export function current() {
  return cards().find((card) => card.getAttribute("aria-current") === "true");
}

export function select(card, { focus = true } = {}) {
  for (const each of cards()) each.removeAttribute("aria-current");
  if (!card) return;
  card.setAttribute("aria-current", "true");
  if (focus) {
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }
}

export function walk(step) {
  const all = cards();
  const at = all.indexOf(current());
  select(all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
}

// Take a judged item away; the next one is current. An empty page is loaded anew, so that what waits behind it comes.
export function settle(card) {
  const all = cards();
  const at = all.indexOf(card);
  const next = all[at + 1] ?? all[at - 1];
  card.remove();
  if (next) select(next);
  else if (document.querySelector(".pagination")) location.reload();
  else {
    list.hidden = true;
    document.querySelector("[data-empty]")?.removeAttribute("hidden");
  }
}

list?.addEventListener("click", (event) => select(event.target.closest("[data-card]"), { focus: false }));
list?.addEventListener("focusin", (event) => {
  const card = event.target.closest("[data-card]");
  if (card && card !== current()) select(card, { focus: false });
});
select(cards()[0], { focus: false });

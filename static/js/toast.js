// Toasts: toast(text, level) adds one; each goes after a while (never while it is pointed at or holds focus), faults stay until they are closed.

const STAYS_MS = 6000;
const tray = document.getElementById("toasts");
const template = document.getElementById("toast-template");
const ICONS = { success: "circle-check", warning: "triangle-alert", error: "circle-alert" };

function watch(item) {
  item.querySelector("[data-closes-toast]").addEventListener("click", () => item.remove());
  if (item.classList.contains("toast--error")) return;
  const leave = () => (item.matches(":hover, :focus-within") ? setTimeout(leave, STAYS_MS) : item.remove());
  setTimeout(leave, STAYS_MS);
}

export function toast(text, level = "info") {
  const item = template.content.firstElementChild.cloneNode(true);
  item.className = `toast toast--${level}`;
  item.querySelector("p").textContent = text;
  const use = item.querySelector("use");
  if (ICONS[level]) use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${ICONS[level]}`));
  tray.append(item);
  watch(item);
  return item;
}

for (const item of tray?.children ?? []) watch(item);

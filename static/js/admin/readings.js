// The list of documents: readings that run are asked for every few seconds and shown as they are.

const EVERY_MS = 3000;

async function ask(cells) {
  const address = cells[0].dataset.runs;
  const response = await fetch(`${address}?of=${cells.map((cell) => cell.dataset.reading).join(",")}`, { credentials: "same-origin" });
  if (!response.ok) return;
  const found = await response.json();
  for (const cell of cells) {
    const now = found[cell.dataset.reading];
    if (!now) continue;
    if (cell.innerHTML !== now.html) cell.innerHTML = now.html; // made and escaped by our own server
    if (now.is_over) delete cell.dataset.runs;
  }
}

function again() {
  const cells = [...document.querySelectorAll("[data-reading][data-runs]")];
  if (cells.length) setTimeout(() => ask(cells).catch(() => {}).finally(again), EVERY_MS);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", again);
else again();

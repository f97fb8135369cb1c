// The panel beside the picture: a card of the server's for what was clicked. Esc and its button close it; a later click takes over from an earlier one.

import { address, headers } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";

const panel = document.querySelector("[data-panel]");
const title = document.querySelector("[data-panel-title]");
const body = document.querySelector("[data-panel-body]");
let turn = 0;

export async function showCard(path) {
  const mine = ++turn;
  let answer;
  try {
    answer = await fetch(address(path), { credentials: "same-origin", headers: headers() });
  } catch {
    toast(say("offline"), "error");
    return;
  }
  if (mine !== turn) return;
  if (!answer.ok || answer.redirected) {
    toast(say("failed", { code: answer.status }), "error");
    return;
  }
  const card = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("article");
  title.textContent = card.dataset.title;
  body.replaceChildren(document.adoptNode(card));
  body.scrollTop = 0;
  panel.hidden = false;
}

export function closeCard() {
  turn += 1;
  panel.hidden = true;
}

panel.addEventListener("click", (event) => { if (event.target.closest("[data-panel-closes]")) closeCard(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.defaultPrevented && !panel.hidden) closeCard(); });

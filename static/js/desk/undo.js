// What was done last, as requests that take it back. Kept for this tab, so that it outlives loading the page anew.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";

const NAME = `desk-undo-${document.getElementById("desk")?.dataset.graph}`;
const MOST = 50;
const button = document.querySelector("[data-undo]");

function stack() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME)) ?? [];
  } catch {
    return [];
  }
}

function keep(steps) {
  sessionStorage.setItem(NAME, JSON.stringify(steps.slice(-MOST)));
  if (button) button.disabled = steps.length === 0;
}

export function remember(method, path, body) {
  keep([...stack(), { method, path, body }]);
}

export async function undo() {
  const steps = stack();
  const last = steps.pop();
  if (!last) return void toast(say("nothing_to_undo"));
  keep(steps);
  try {
    await call(last.method, last.path, last.body);
    sessionStorage.setItem("desk-toast", say("done_undo"));
    location.reload();
  } catch (refused) {
    toast(refused.message, "error");
  }
  return undefined;
}

const waiting = sessionStorage.getItem("desk-toast");
if (waiting) toast(waiting, "success");
sessionStorage.removeItem("desk-toast");
keep(stack());
button?.addEventListener("click", undo);

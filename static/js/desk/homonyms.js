// Names that may stand for two: split as it is proposed, by documents that one chooses, or keep as one.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { split } from "./split.js";
import { remember } from "./undo.js";
import { settle } from "./walk.js";

document.querySelector("[data-list]")?.addEventListener("click", async (event) => {
  const card = event.target.closest("[data-split]");
  const deed = event.target.closest("[data-deed]")?.dataset.deed;
  if (!card || !deed) return;
  const id = card.dataset.split;
  try {
    if (deed === "keep") await call("POST", `api/v1/entities/${id}/keep-whole`);
    else {
      const parted = await split(id, deed === "split" ? card.dataset.documents.split(",") : []);
      if (!parted) return;
      remember("POST", `api/v1/entities/${id}/merge`, { others: [parted.new.id] });
    }
    settle(card);
    toast(say(deed === "keep" ? "done_keep" : "done_split"), "success");
  } catch (refused) {
    toast(refused.message, "error");
  }
});

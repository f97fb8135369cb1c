// Copies an answer as Markdown with its sources below it.

import { copy } from "../clipboard.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { island, of } from "./citations.js";

function source(citation) {
  const place = [...(citation.heading_path ?? []), citation.page ? say("page", { page: citation.page }) : ""].filter(Boolean).join(" › ");
  const quote = citation.text ? `\n   > ${citation.text.replace(/\s*\n\s*/g, " ")}` : "";
  return `[${citation.n}] ${citation.document_title}${place ? ` — ${place}` : ""}${quote}`;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const message = button.closest(".message");
  const sources = of(message).map(source).join("\n");
  const text = `${island(message, "answer") ?? ""}\n\n${say("sources")}:\n\n${sources}\n`;
  try {
    await copy(text);
    toast(say("copied"), "success");
  } catch {
    toast(say("copy_failed"), "warning");
  }
});

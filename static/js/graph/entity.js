// The entity page: its neighbours as a small picture, what editors do, and what a merge would join.

import { address, call } from "../server.js";
import { say } from "../words.js";
import "./deed.js";
import "./picker.js";
import { makePicture } from "./canvas.js";
import { settle } from "./settle.js";

const SMALL = 25;

class EntityNeighbours extends HTMLElement {
  async connectedCallback() {
    const picture = await call("GET", `api/v1/entities/${this.dataset.entity}/neighbours?limit=${SMALL}`).catch(() => null);
    if (!picture) return;
    const { cy, add } = makePicture(this, { isSmall: true });
    add(picture);
    cy.getElementById(this.dataset.entity).addClass("is-chosen");
    cy.on("tap", "node", (event) => { location.href = address(`entities/${event.target.id()}/`); });
    cy.on("mouseover", "node", () => { this.classList.add("is-over"); });
    cy.on("mouseout", "node", () => { this.classList.remove("is-over"); });
    settle(cy);
  }
}

customElements.define("entity-neighbours", EntityNeighbours);

document.addEventListener("picked", async (event) => {
  const form = event.target.closest("[data-merges]");
  if (!form) return;
  const place = form.querySelector(".merge-preview");
  place.textContent = "";
  try {
    const joined = await call("POST", form.dataset.path, { others: [event.detail.id], preview: true });
    const parts = [say("joined", { places: joined.mentions, documents: joined.documents, values: joined.attributes.length, relations: joined.relations })];
    if (joined.classes_differ) parts.push(say("classes_differ"));
    if (joined.contradictions.length) parts.push(say("contradicting", { names: joined.contradictions.join(", ") }));
    place.textContent = parts.join(" ");
  } catch (refused) {
    place.textContent = refused.message;
  }
});

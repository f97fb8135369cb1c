// <entity-picker data-graph data-for="NAME"> with a label and a search field: a list opens as one types; arrows and Enter or a click choose. It then has `value` (an id) and
// `chosen` (the row), holds a hidden field of that name for forms, and sends the event "picked".

import { call } from "../server.js";
import { say } from "../words.js";

const WAIT_MS = 180;
let count = 0;

class EntityPicker extends HTMLElement {
  connectedCallback() {
    this.field = this.querySelector("input");
    this.hidden_ = Object.assign(document.createElement("input"), { type: "hidden", name: this.dataset.for });
    this.list = Object.assign(document.createElement("ul"), { className: "picker-list", hidden: true, id: `picker-${++count}` });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", this.querySelector("label").textContent);
    this.append(this.hidden_, this.list);
    for (const [name, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": this.list.id })) this.field.setAttribute(name, value);
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.choose(event.target.closest("[role=option]")));
  }

  get value() { return this.hidden_.value; }

  clear() {
    this.field.value = "";
    this.hidden_.value = "";
    this.chosen = undefined;
  }

  typed() {
    this.hidden_.value = "";
    this.chosen = undefined;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(), WAIT_MS);
  }

  async look() {
    const q = this.field.value.trim();
    if (!q) return this.close();
    const found = await call("GET", `api/v1/graphs/${this.dataset.graph}/entities/?limit=8&q=${encodeURIComponent(q)}`).catch(() => ({ results: [] }));
    if (q === this.field.value.trim() && !this.hidden_.value) this.show(found.results);
    return undefined;
  }

  show(rows) {
    this.rows = rows;
    this.list.replaceChildren(...rows.map((row, index) => this.option(row, index)));
    if (!rows.length) this.list.append(Object.assign(document.createElement("li"), { className: "muted", textContent: say("nobody") }));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.mark(rows.length ? 0 : -1);
  }

  option(row, index) {
    const item = document.createElement("li");
    item.id = `${this.list.id}-${index}`;
    item.setAttribute("role", "option");
    const kind = Object.assign(document.createElement("span"), { className: "muted", textContent: row.class_label });
    item.append(row.name, kind);
    return item;
  }

  mark(index) {
    this.at = index;
    [...this.list.querySelectorAll("[role=option]")].forEach((item, place) => item.setAttribute("aria-selected", place === index));
    if (index >= 0) this.field.setAttribute("aria-activedescendant", `${this.list.id}-${index}`);
    else this.field.removeAttribute("aria-activedescendant");
    this.list.children[index]?.scrollIntoView({ block: "nearest" });
  }

  pressed(event) {
    if (event.isComposing || this.list.hidden) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown") this.mark(Math.min(this.at + 1, this.rows.length - 1));
    else if (event.key === "ArrowUp") this.mark(Math.max(this.at - 1, 0));
    else if (event.key === "Enter" && this.at >= 0) this.choose(this.list.children[this.at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose(item) {
    if (!item) return;
    this.chosen = this.rows[[...this.list.children].indexOf(item)];
    this.field.value = this.chosen.name;
    this.hidden_.value = this.chosen.id;
    this.close();
    this.dispatchEvent(new CustomEvent("picked", { detail: this.chosen, bubbles: true }));
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}

customElements.define("entity-picker", EntityPicker);

// <conversation-list>: earlier conversations. Searching filters titles at once and asks the server for the texts; renaming and deleting ask first.
// named(id, title) puts the current conversation on top.

import { call } from "../server.js";
import { toast } from "../toast.js";
import { say } from "../words.js";

const WAIT_MS = 250;

class ConversationList extends HTMLElement {
  connectedCallback() {
    this.search = this.querySelector("input[type=search]");
    this.found = this.querySelector("[data-found]");
    this.none = this.querySelector(".conversations-none");
    this.search.addEventListener("input", () => this.filter());
    this.addEventListener("click", (event) => this.click(event));
  }

  get items() {
    return [...this.querySelectorAll("section:not([data-found]) li[data-id]")];
  }

  filter() {
    const words = this.search.value.trim().toLocaleLowerCase();
    for (const item of this.items) item.hidden = !item.querySelector("a").title.toLocaleLowerCase().includes(words);
    for (const group of this.querySelectorAll("section:not([data-found])")) group.hidden = !group.querySelector("li:not([hidden])");
    this.showFound([]);
    clearTimeout(this.timer);
    if (words) this.timer = setTimeout(() => this.askServer(words), WAIT_MS);
  }

  async askServer(words) {
    const { results } = await call("GET", `api/v1/conversations/?q=${encodeURIComponent(words)}`).catch(() => ({ results: [] }));
    if (this.search.value.trim().toLocaleLowerCase() === words) this.showFound(results);
  }

  showFound(results) {
    const shown = new Set(this.items.filter((item) => !item.hidden).map((item) => item.dataset.id));
    const others = results.filter((result) => !shown.has(result.id));
    this.found.querySelector("ul").replaceChildren(...others.map((result) => make(result.id, result.title)));
    this.found.hidden = others.length === 0;
    this.showNone();
  }

  showNone() {
    const searching = this.search.value.trim() !== "";
    this.none.hidden = this.querySelector("section:not([hidden]) li[data-id]:not([hidden])") !== null;
    this.none.querySelector('[data-when="searching"]').hidden = !searching;
    this.none.querySelector('[data-when="empty"]').hidden = searching;
  }

  put(id, title) {
    const known = this.items.find((item) => item.dataset.id === id);
    if (known) return retitle(known, title);
    let today = [...this.querySelectorAll("section:not([data-found])")].find((group) => group.querySelector("h2").textContent === say("today"));
    if (!today) {
      today = document.createElement("section");
      const heading = document.createElement("h2");
      heading.textContent = say("today");
      today.append(heading, document.createElement("ul"));
      this.querySelector(".conversations-groups").prepend(today);
    }
    const item = make(id, title);
    for (const other of this.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    item.querySelector("a").setAttribute("aria-current", "page");
    today.querySelector("ul").prepend(item);
    this.showNone();
  }

  click(event) {
    const item = event.target.closest("li[data-id]");
    if (event.target.closest("[data-renames]")) this.rename(item);
    if (event.target.closest("[data-deletes]")) this.remove(item);
  }

  async rename(item) {
    item.querySelector("details").open = false;
    const dialog = document.getElementById("rename-dialog");
    const input = dialog.querySelector("input");
    input.value = item.querySelector("a").title;
    if (!(await answer(dialog)) || !input.value.trim()) return;
    await attempt(async () => {
      const { title } = await call("PATCH", `api/v1/conversations/${item.dataset.id}`, { title: input.value.trim() });
      retitle(item, title);
      if (item.querySelector("[aria-current]")) entitle(title);
    });
    item.querySelector("a").focus();
  }

  async remove(item) {
    item.querySelector("details").open = false;
    const dialog = document.getElementById("delete-dialog");
    dialog.querySelector("[data-title]").textContent = item.querySelector("a").title;
    if (!(await answer(dialog))) return;
    await attempt(async () => {
      await call("DELETE", `api/v1/conversations/${item.dataset.id}`);
      if (item.querySelector("[aria-current]")) return location.assign(document.documentElement.dataset.root);
      item.remove();
      toast(say("deleted"), "success");
      this.filter();
      this.search.focus();
    });
  }
}

function make(id, title) {
  const item = document.getElementById("conversation-template").content.querySelector("li").cloneNode(true);
  item.dataset.id = id;
  item.querySelector("a").href = `${document.documentElement.dataset.root}c/${id}/`;
  retitle(item, title);
  return item;
}

function retitle(item, title) {
  item.querySelector("a").title = title;
  item.querySelector("a > span").textContent = title;
  item.querySelector("summary").setAttribute("aria-label", say("actions_for", { title }));
}

function entitle(title) {
  document.getElementById("talk-title").textContent = title;
  document.title = document.title.replace(/^.*?(?= · [^·]*$)/, () => title);
}

function answer(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "send"), { once: true }));
}

async function attempt(work) {
  try {
    await work();
  } catch (fault) {
    toast(fault.message, "error");
  }
}

export function named(id, title) {
  if (!title) return;
  entitle(title);
  document.querySelector("conversation-list").put(id, title);
}

customElements.define("conversation-list", ConversationList);

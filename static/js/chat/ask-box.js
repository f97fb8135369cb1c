// <ask-box>: where the reader writes. Sends with Enter (never while an input method is composing; on touch Return is a new line), keeps the draft, and turns its
// button into a stop button while an answer is coming. Fires `ask:send` {question, knowledge_bases, answerer} and `ask:stop`.

import { keep, recall } from "./drafts.js";

const isTouch = matchMedia("(hover: none) and (pointer: coarse)");

class AskBox extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.box = this.form.elements.question;
    this.sends = this.form.querySelector("[type=submit]");
    this.stops = this.form.querySelector("[data-stops]");
    this.box.value ||= recall(this.draftName) ?? "";
    this.box.addEventListener("input", () => this.changed());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.stops.addEventListener("click", () => this.stop());
    this.answererChoice();
    this.changed();
  }

  get draftName() {
    return `draft:${document.getElementById("messages").dataset.conversation || "new"}`;
  }

  key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229 || isTouch.matches) return;
    event.preventDefault();
    this.send();
  }

  changed() {
    keep(this.draftName, this.box.value);
    this.sends.disabled = this.box.disabled || this.box.value.trim() === "";
    if (!CSS.supports("field-sizing", "content")) {
      this.box.style.height = "auto";
      this.box.style.height = `${this.box.scrollHeight}px`;
    }
  }

  answererChoice() {
    const choice = this.form.elements.answerer;
    if (!choice) return;
    const kept = recall("answerer");
    if ([...choice.options].some((option) => option.value === kept)) choice.value = kept;
    choice.addEventListener("change", () => keep("answerer", choice.value));
  }

  choice() {
    const boxes = [...this.form.querySelectorAll("[name=base]")];
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    return {
      knowledge_bases: chosen.length === boxes.length ? [] : chosen,
      answerer: this.form.elements.answerer?.value || null,
    };
  }

  send() {
    const question = this.box.value.trim();
    if (!question || this.isBusy) return;
    this.dispatchEvent(new CustomEvent("ask:send", { bubbles: true, detail: { question, ...this.choice() } }));
  }

  stop() {
    this.dispatchEvent(new CustomEvent("ask:stop", { bubbles: true }));
  }

  clear() {
    this.box.value = "";
    this.changed();
  }

  write(text) {
    if (this.box.value.trim() === "") this.box.value = text;
    this.changed();
    this.box.focus();
  }

  get isBusy() {
    return !this.stops.hidden;
  }

  set isBusy(busy) {
    const hadFocus = document.activeElement === this.sends || document.activeElement === this.stops;
    this.sends.hidden = busy;
    this.stops.hidden = !busy;
    if (hadFocus) (busy ? this.stops : this.box).focus();
  }
}

customElements.define("ask-box", AskBox);

// One question and its answer while it is arriving; `path` is where the answer can be fetched when its stream breaks. Draws what the stream brings, and in the end puts the server's finished message in its place.

import { localise } from "../times.js";
import { announce, announceAnswer } from "./announce.js";
import * as citations from "./citations.js";
import { GrowingText } from "./growing-text.js";

const copy = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
const languageOf = (text) => (/[\u3040-\u30ff]/.test(text) ? "ja" : /[\u3400-\u9fff]/.test(text) ? "zh" : "en");

export class Turn {
  constructor(question, path) {
    this.question = question;
    this.path = path;
    this.element = document.createElement("section");
    this.element.className = "turn";
    const asked = copy("question-template");
    asked.querySelector(".question-text").textContent = question;
    asked.querySelector(".question-text").lang = languageOf(question);
    this.answer = copy("answer-template");
    this.answer.dataset.question = question;
    this.place = this.answer.querySelector(".answer-text");
    this.place.lang = languageOf(question);
    this.status = this.answer.querySelector("status-line");
    citations.expect(this.answer);
    this.text = new GrowingText(this.place, (n) => citations.chip(this.answer, n));
    this.status.addEventListener("status:said", (event) => announce(event.detail));
    this.element.append(asked, this.answer);
  }

  take({ name, data }) {
    if (name === "stage") this.status.show(data);
    if (name === "delta") this.text.add(data.text);
    if (name === "citation") citations.arrived(this.answer, data);
  }

  finish(done) {
    this.text.finish();
    const holder = document.createElement("template");
    holder.innerHTML = done.article;
    const article = holder.content.querySelector(".message");
    const focused = this.answer.contains(document.activeElement) ? document.activeElement.dataset?.n : null;
    this.answer.replaceWith(article);
    this.answer = article;
    localise(article);
    if (focused !== null) (article.querySelector(`.cite[data-n="${focused}"]`) ?? article).focus({ preventScroll: true });
    announceAnswer(article, done);
  }

  stop() {
    this.text.finish();
    this.status.remove();
    this.answer.removeAttribute("aria-busy");
    this.answer.append(copy("stopped-template"));
  }

  fail(sentence, { canFetch = false } = {}) {
    this.text.finish();
    this.status.remove();
    this.answer.removeAttribute("aria-busy");
    const failure = copy("failure-template");
    failure.querySelector("p").textContent = sentence;
    failure.querySelector("[data-fetches-answer]").hidden = !canFetch;
    this.answer.append(failure);
    announce(sentence);
    return failure;
  }

  again() {
    this.answer.querySelector(".answer-failed")?.remove();
    if (!this.status.isConnected) this.answer.append(this.status);
  }
}

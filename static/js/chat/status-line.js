// <status-line>: the one quiet line that says what is happening and for how long. show(stage event) changes the words; it counts by itself until it is removed.

import { say, seconds } from "../words.js";

const ARMS = new Set(["vector", "keyword", "graph", "fuse"]);
const LONG_MS = 15000;

class StatusLine extends HTMLElement {
  connectedCallback() {
    this.began = performance.now();
    this.say(say("sending"));
    this.timer = setInterval(() => this.count(), 100);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  show({ name, state, detail }) {
    if (state !== "started" && !detail?.passages) return;
    if (!ARMS.has(name)) this.say(say(name));
    else if (detail?.passages) this.say(say("search_passages", { count: detail.passages }));
    else if (!this.isSearching) this.say(say("search"));
    this.isSearching = ARMS.has(name);
  }

  say(words) {
    if (!words) return;
    this.words = words;
    this.querySelector("[data-words]").textContent = words;
    this.dispatchEvent(new CustomEvent("status:said", { bubbles: true, detail: words }));
  }

  count() {
    const passed = performance.now() - this.began;
    const long = passed > LONG_MS ? ` · ${say("slow")}` : "";
    this.querySelector("[data-time]").textContent = `· ${say("seconds", { seconds: seconds(passed) })}${long}`;
  }
}

customElements.define("status-line", StatusLine);

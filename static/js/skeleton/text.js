// The text of a skeleton: numbers beside its lines, faults marked at theirs, Tab that indents (Escape, then Tab leaves). A chosen file is sent at once.

class SkeletonText extends HTMLElement {
  connectedCallback() {
    this.area = this.querySelector("textarea");
    this.numbers = this.querySelector(".skeleton-numbers");
    this.leaves = false;
    this.area.addEventListener("input", () => this.number());
    this.area.addEventListener("scroll", () => { this.numbers.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("keydown", (event) => this.keyed(event));
    this.area.addEventListener("blur", () => { this.leaves = false; });
    queueMicrotask(() => {
      this.number();
      if (this.dataset.line) this.show(Number(this.dataset.line));
    });
  }

  number() {
    const count = this.area.value.split("\n").length;
    if (this.numbers.childElementCount !== count) {
      this.numbers.replaceChildren(...Array.from({ length: count }, (_, index) => {
        const line = document.createElement("span");
        line.textContent = index + 1;
        return line;
      }));
    }
    this.mark();
    this.numbers.scrollTop = this.area.scrollTop;
  }

  mark() {
    for (const line of this.numbers.querySelectorAll("[class]")) line.removeAttribute("class");
    for (const fault of document.querySelectorAll("#checked [data-line]")) {
      const line = this.numbers.children[fault.dataset.line - 1];
      if (line && line.className !== "is-fault") line.className = fault.className;
    }
  }

  keyed(event) {
    if (event.key === "Escape") this.leaves = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.leaves) {
      event.preventDefault();
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (event.key !== "Shift") this.leaves = false;
  }

  goTo(line) {
    const start = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.show(line);
  }

  show(line) {
    this.area.scrollTop = (line - 5) * parseFloat(getComputedStyle(this.area).lineHeight);
  }
}

customElements.define("skeleton-text", SkeletonText);

document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-goes-to]")?.dataset.goesTo;
  if (line) document.querySelector("skeleton-text")?.goTo(Number(line));
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-sends-file]") && event.target.files.length) event.target.form.submit();
});

document.addEventListener("htmx:afterSwap", () => document.querySelector("skeleton-text")?.mark());

// <theme-switch>: a button that goes round system, light, dark; the choice is kept in this browser. Without scripts it stays hidden and the system decides.

const ROUND = ["system", "light", "dark"];
const root = document.documentElement;

class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    this.hidden = false;
    this.button = this.querySelector("button");
    this.button.addEventListener("click", () => this.choose(ROUND[(ROUND.indexOf(this.theme) + 1) % 3]));
    document.addEventListener("theme:changed", () => this.show());
    this.show();
  }

  get theme() {
    return root.dataset.theme ?? "system";
  }

  choose(theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // it holds for this page only
    }
    document.dispatchEvent(new CustomEvent("theme:changed"));
  }

  show() {
    this.dataset.shown = this.theme;
    this.button.title = this.dataset[this.theme];
    this.button.setAttribute("aria-label", this.dataset[this.theme]);
  }
}

customElements.define("theme-switch", ThemeSwitch);

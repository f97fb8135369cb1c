// The list of what the picture shows, for keyboards and screen readers: a button an entity, the best supported first.

const list = document.querySelector("[data-shown-list]");
const count = document.querySelector("[data-shown-count]");

export function showList(nodes, choose) {
  const sorted = nodes.map((node) => node.data()).sort((one, other) => other.support - one.support || one.name.localeCompare(other.name));
  count.textContent = new Intl.NumberFormat(document.documentElement.lang).format(sorted.length);
  list.replaceChildren(...sorted.map((node) => itemOf(node)));
  list.onclick = (event) => {
    const button = event.target.closest("button");
    if (button) choose(button.dataset.id);
  };
}

function itemOf(node) {
  const item = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.dataset.id = node.id;
  const dot = document.querySelector(`label:has(input[name=class][value="${CSS.escape(node.class)}"]) .class-dot`)?.cloneNode();
  button.append(...(dot ? [dot] : []), node.name);
  item.append(button);
  return item;
}

export function markInList(id) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.querySelector(`[data-id="${CSS.escape(id)}"]`)?.setAttribute("aria-current", "true");
}

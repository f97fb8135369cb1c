// copy(text) puts text on the clipboard; over plain HTTP, where browsers offer no clipboard, in the old way. Throws when the browser does not allow it.

export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = document.createElement("textarea");
  const focused = document.activeElement;
  box.value = text;
  box.className = "visually-hidden";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  focused?.focus({ preventScroll: true });
  if (!done) throw new Error("copying was refused");
  return undefined;
}

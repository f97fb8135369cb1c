// Text that is still arriving, drawn once a frame. What is there already is never replaced while it stays the same, only grown, so nothing that is being read,
// selected or hovered over flickers; a citation that is cut in half waits for its other half.

import { blocks, draw } from "./markdown.js";

export class GrowingText {
  constructor(place, chip) {
    this.place = place;
    this.chip = chip;
    this.text = "";
    this.drawn = [];
    this.frame = 0;
  }

  add(text) {
    this.text += text;
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  finish() {
    cancelAnimationFrame(this.frame);
    this.draw(true);
  }

  draw(isWhole = false) {
    this.frame = 0;
    const wanted = blocks(isWhole ? this.text : this.text.replace(/\[\d{0,2}$|\*+$|`+$/, ""));
    if (!isWhole && wanted.length) wanted.push(closed(wanted.pop()));
    wanted.forEach((block, index) => {
      if (this.drawn[index] === block) return;
      const node = draw(block, this.chip);
      if (index < this.place.children.length) grow(this.place.children[index], node);
      else this.place.append(node);
    });
    while (this.place.children.length > wanted.length) this.place.lastElementChild.remove();
    this.drawn = wanted;
  }
}

function closed(block) {
  if (/^\s*```/.test(block)) return block;
  const odd = (mark) => block.split(mark).length % 2 === 0;
  return block + (odd("`") ? "`" : "") + (odd("**") ? "**" : "");
}

function grow(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.className !== fresh.className) return old.replaceWith(fresh);
  if (old.nodeType === Node.TEXT_NODE) {
    if (fresh.data.startsWith(old.data)) old.appendData(fresh.data.slice(old.data.length));
    else old.data = fresh.data;
    return undefined;
  }
  const children = [...fresh.childNodes];
  children.forEach((child, index) => {
    if (index < old.childNodes.length) grow(old.childNodes[index], child);
    else old.append(child);
  });
  while (old.childNodes.length > children.length) old.lastChild.remove();
  return undefined;
}

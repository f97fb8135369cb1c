// A small part of Markdown, enough for text that is still arriving: paragraphs, headings, lists, quotes, tables, code, emphasis and [n] citations. Makes nodes, never
// HTML, so nothing in the text can become markup. The finished message comes from the server and replaces what this drew.

const INLINE = /(`+)(?<code>.+?)\1|\*\*(?<strong>.+?)\*\*|\*(?<em>[^*\s][^*]*?)\*|\[(?<cite>\d{1,2})\]/g;

export function blocks(text) {
  const found = [];
  let fence = false;
  for (const line of text.split("\n")) {
    const last = found.at(-1);
    if (/^\s*```/.test(line)) {
      fence = !fence;
      if (fence) found.push([line]);
      else last.push(line);
    } else if (fence) last.push(line);
    else if (line.trim() === "") found.push([]);
    else if (last?.length && !/^#{1,6} /.test(line) && kind(last[0]) === kind(line)) last.push(line);
    else if (last?.length && kind(line) === "p" && /^\s/.test(line)) last.push(line);
    else if (last && !last.length) last.push(line);
    else found.push([line]);
  }
  return found.filter((lines) => lines.length).map((lines) => lines.join("\n"));
}

function kind(line) {
  if (/^\s*```/.test(line)) return "pre";
  if (/^#{1,6} /.test(line)) return "heading";
  if (/^\s*[-*+] /.test(line)) return "ul";
  if (/^\s*\d+[.)] /.test(line)) return "ol";
  if (/^> ?/.test(line)) return "blockquote";
  if (line.startsWith("|")) return "table";
  return "p";
}

export function draw(block, chip) {
  const type = kind(block);
  if (type === "pre") return element("pre", element("code", block.replace(/^\s*```.*\n?/, "").replace(/\n?\s*```\s*$/, "")));
  if (type === "heading") return element("h3", ...inline(block.replace(/^#+ /, ""), chip));
  if (type === "blockquote") return element("blockquote", ...inline(block.replace(/^> ?/gm, ""), chip));
  if (type === "table") return table(block, chip);
  if (type === "p") return element("p", ...inline(block, chip));
  const items = block.split(/\n(?=\s*(?:[-*+]|\d+[.)]) )/).map((item) => element("li", ...inline(item.replace(/^\s*(?:[-*+]|\d+[.)]) /, ""), chip)));
  const list = element(type, ...items);
  if (type === "ol") list.start = Number.parseInt(block, 10) || 1;
  return list;
}

function table(block, chip) {
  const rows = block.split("\n").map((row) => row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/));
  const hasHead = rows.length > 1 && rows[1].every((cell) => /^\s*:?-*:?\s*$/.test(cell));
  const line = (cells, name) => element("tr", ...cells.map((cell) => element(name, ...inline(cell.replace(/\\\|/g, "|").trim(), chip))));
  const body = rows.slice(hasHead ? 2 : 1).map((cells) => line(cells, "td"));
  return element("table", element("thead", line(rows[0], "th")), element("tbody", ...body));
}

function* inline(text, chip) {
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) yield text.slice(end, match.index);
    const { code, strong, em, cite } = match.groups;
    if (code) yield element("code", code);
    else if (strong) yield element("strong", ...inline(strong, chip));
    else if (em) yield element("em", ...inline(em, chip));
    else yield chip(Number(cite));
    end = match.index + match[0].length;
  }
  if (end < text.length) yield text.slice(end);
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

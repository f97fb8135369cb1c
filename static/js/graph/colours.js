// Colours for a canvas, which knows no tokens: read from elements that have them, and read again when the theme changes.

export function colours() {
  const classes = new Map();
  for (const dot of document.querySelectorAll(".class-dot[data-class], label:has(input[name=class]) .class-dot")) {
    const name = dot.dataset.class ?? dot.closest("label").querySelector("input").value;
    classes.set(name, plain(getComputedStyle(dot).backgroundColor));
  }
  const probe = document.createElement("span");
  document.body.append(probe);
  const token = (name) => {
    probe.style.color = `var(${name})`;
    return plain(getComputedStyle(probe).color);
  };
  const found = {
    classes,
    other: token("--class-10"),
    ink: token("--ink"),
    soft: token("--ink-soft"),
    surface: token("--surface"),
    line: token("--line-strong"),
    faint: token("--line"),
    accent: token("--accent"),
    evidence: token("--evidence-line"),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return found;
}

// Newer browsers may answer in forms that the canvas library does not read: painting one pixel says it in numbers.
function plain(colour) {
  if (/^rgba?\(/.test(colour)) return colour;
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

export function onThemeChange(act) {
  new MutationObserver(act).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act);
}

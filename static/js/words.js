// Translated sentences for scripts. They stand in <template data-words><i data-word="name">…</i></template>; plural forms in data-one and data-other variants
// (`name.one`, `name.other`). say("finished", {count: 3}) fills {count} in, with numbers written the page's way.

export const language = document.documentElement.lang || "en";
const numbers = new Intl.NumberFormat(language);
const plurals = new Intl.PluralRules(language);
const words = new Map();

for (const template of document.querySelectorAll("template[data-words]")) {
  for (const word of template.content.querySelectorAll("[data-word]")) words.set(word.dataset.word, word.textContent);
}

export function say(name, values = {}) {
  const sentence = words.get(`${name}.${plurals.select(values.count ?? 0)}`) ?? words.get(`${name}.other`) ?? words.get(name) ?? "";
  // A name that ends in a full stop ("Kraan Pumps B.V.") ends the sentence too.
  return sentence.replace(/\{(\w+)\}(\.?)/g, (whole, key, stop) => {
    const value = values[key];
    if (value === undefined) return whole;
    const text = typeof value === "number" ? numbers.format(value) : String(value);
    return text.endsWith(".") ? text : text + stop;
  });
}

export function seconds(milliseconds) {
  const value = milliseconds / 1000;
  return new Intl.NumberFormat(language, { minimumFractionDigits: value < 10 ? 1 : 0, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

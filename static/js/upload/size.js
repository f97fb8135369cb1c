// Bytes in words: "0 B", "12 kB", "3.4 MB", in the page's language.

import { language } from "../words.js";

const STEPS = ["byte", "kilobyte", "megabyte", "gigabyte"];

export function size(bytes) {
  const step = Math.min(STEPS.length - 1, bytes ? Math.floor(Math.log(bytes) / Math.log(1024)) : 0);
  const value = bytes / 1024 ** step;
  return new Intl.NumberFormat(language, { style: "unit", unit: STEPS[step], unitDisplay: step ? "short" : "narrow", maximumFractionDigits: step && value < 10 ? 1 : 0 }).format(value);
}

// After a lost connection or a reload: asks the server for the answer (by its id, or by the one that this page gave its question) until it is there or it makes
// no sense any more.

import { call, ServerError } from "../server.js";

const WAITS_MS = [500, 1000, 2000, 3000, 5000, 5000, 10000, 10000, 15000, 15000];
const UNKNOWN_LIMIT = 4;
const KEY = "asking";

export function rememberAsking(asking) {
  try {
    if (asking) sessionStorage.setItem(KEY, JSON.stringify(asking));
    else sessionStorage.removeItem(KEY);
  } catch {
    // no storage: a reload can't resume
  }
}

export function askingBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

export const byClient = (clientId) => `api/v1/messages/by-client/${clientId}?page=1`;
export const byId = (messageId) => `api/v1/messages/${messageId}?page=1`;

export async function fetchAnswer(path, { patient = true } = {}) {
  let unknown = 0;
  for (const wait of patient ? WAITS_MS : [0, 400, 800]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      const answer = await call("GET", path);
      if (answer.state !== "working") return answer;
    } catch (fault) {
      if (!(fault instanceof ServerError)) throw fault;
      if (fault.status === 404 && ++unknown === UNKNOWN_LIMIT) return null;
      if (![0, 404, 502, 503, 504].includes(fault.status)) return null;
    }
  }
  return null;
}

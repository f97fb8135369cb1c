// Requests to our own server: address(path) honours a sub-path, call(method, path, body) sends JSON with the CSRF token and gives JSON back or throws ServerError.

import { say } from "./words.js";

export class ServerError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function address(path) {
  return document.documentElement.dataset.root + path.replace(/^\//, "");
}

export function headers(more = {}) {
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  return { "X-CSRFToken": token, "Accept-Language": document.documentElement.lang, ...more };
}

export async function refusal(response) {
  const body = await response.json().catch(() => null);
  const code = body?.error?.code ?? String(response.status);
  const signedOut = response.status === 401;
  return new ServerError(response.status, code, signedOut ? say("signed_out") : (body?.error?.message ?? say("failed", { code })));
}

export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(address(path), {
      method,
      credentials: "same-origin",
      headers: headers({ Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ServerError(0, "offline", say("offline"));
  }
  if (!response.ok) throw await refusal(response);
  return response.status === 204 ? null : response.json();
}

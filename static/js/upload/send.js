// Sends files to be staged, in pieces that a request can carry; all join one batch. Gives its id. progress(sent, total) counts bytes.

import { address, call, headers, ServerError } from "../server.js";
import { say } from "../words.js";

const MOST_FILES = 100;
const MOST_BYTES = 24 * 1024 * 1024;

export async function send(kb, files, progress, signal) {
  const total = files.reduce((sum, each) => sum + each.file.size, 0);
  let sent = 0;
  let id = "";
  try {
    for (const piece of pieces(files)) {
      const answer = await post(kb, piece, id, (bytes) => progress(Math.min(sent + bytes, total), total), signal);
      id = answer.id;
      sent += bytesOf(piece);
      progress(sent, total);
    }
  } catch (error) {
    if (id) await call("DELETE", `api/v1/uploads/${id}`).catch(() => {}); // the server forgets it after a day anyway
    throw error;
  }
  return id;
}

function bytesOf(piece) {
  return piece.reduce((sum, each) => sum + each.file.size, 0);
}

function* pieces(files) {
  let piece = [];
  for (const each of files) {
    if (piece.length && (piece.length === MOST_FILES || bytesOf(piece) + each.file.size > MOST_BYTES)) {
      yield piece;
      piece = [];
    }
    piece.push(each);
  }
  if (piece.length) yield piece;
}

function post(kb, piece, id, progress, signal) {
  const body = new FormData();
  if (id) body.append("upload", id);
  for (const { path, file } of piece) {
    body.append("paths", path);
    body.append("files", file, file.name);
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not tell how much has been sent
    const stop = () => request.abort();
    request.open("POST", address(`api/v1/knowledge-bases/${encodeURIComponent(kb)}/uploads/`));
    request.responseType = "json";
    for (const [name, value] of Object.entries(headers({ Accept: "application/json" }))) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("load", () => (request.status < 300 ? resolve(request.response) : reject(refusal(request))));
    request.addEventListener("error", () => reject(new ServerError(0, "offline", say("offline"))));
    request.addEventListener("abort", () => reject(new ServerError(0, "stopped", say("send_stopped"))));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return reject(new ServerError(0, "stopped", say("send_stopped")));
    request.send(body);
  });
}

function refusal(request) {
  const error = request.response?.error;
  const code = error?.code ?? String(request.status);
  return new ServerError(request.status, code, request.status === 401 ? say("signed_out") : (error?.message ?? say("failed", { code })));
}

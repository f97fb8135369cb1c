// Asks the server one question. ask(body, signal) yields the events of the stream; throws ServerError when the server refuses and ConnectionLost when the stream
// breaks before `done` or `error`.

import { address, headers, refusal, ServerError } from "../server.js";
import { say } from "../words.js";
import { events } from "./sse.js";

export class ConnectionLost extends Error {}

export async function* ask(body, signal) {
  const response = await send(body, signal);
  if (!response.ok) throw response.status === 429 ? await tooMany(response) : await refusal(response);
  try {
    for await (const event of events(response)) {
      yield event;
      if (event.name === "done" || event.name === "error") return;
    }
  } catch (fault) {
    if (signal.aborted) throw fault;
    throw new ConnectionLost(String(fault));
  }
  throw new ConnectionLost("the stream ended early");
}

async function send(body, signal) {
  try {
    return await fetch(address("api/v1/ask"), {
      method: "POST",
      credentials: "same-origin",
      headers: headers({ "Content-Type": "application/json", Accept: "text/event-stream" }),
      body: JSON.stringify(body),
      signal,
    });
  } catch (fault) {
    if (signal.aborted) throw fault;
    throw new ServerError(0, "offline", say("offline"));
  }
}

async function tooMany(response) {
  const seconds = Number(response.headers.get("Retry-After"));
  const fault = await refusal(response);
  if (seconds) fault.message = say("wait", { seconds });
  return fault;
}

// The talk: takes a question, streams its answer into a new turn, keeps address, title and list in step, and sees to stopping, failing and lost connections.

import { ServerError } from "../server.js";
import { say } from "../words.js";
import { announce } from "./announce.js";
import { ask, ConnectionLost } from "./ask.js";
import { named } from "./conversations.js";
import { toTop } from "./follow.js";
import { newId } from "./new-id.js";
import { askingBefore, byClient, byId, fetchAnswer, rememberAsking } from "./recover.js";
import { Turn } from "./turn.js";

const messages = document.getElementById("messages");
const box = document.querySelector("ask-box");
const turns = new WeakMap();
let stopper = null;

export function stop() {
  stopper?.abort();
  return stopper !== null;
}

async function start({ question, knowledge_bases, answerer }) {
  if (stopper) return;
  const clientId = newId();
  const turn = begin(question, byClient(clientId));
  stopper = new AbortController();
  const conversation = messages.dataset.conversation || null;
  const body = { question, knowledge_bases, answerer, conversation, client_id: clientId, page: true };
  rememberAsking({ question, clientId, conversation });
  box.clear();
  box.isBusy = true;
  try {
    await follow(turn, body);
  } catch (fault) {
    await mend(turn, fault);
  } finally {
    stopper = null;
    box.isBusy = false;
    rememberAsking(null);
  }
}

function begin(question, path) {
  document.getElementById("start")?.remove();
  const turn = new Turn(question, path);
  turns.set(turn.element, turn);
  messages.append(turn.element);
  toTop(turn.element);
  return turn;
}

async function follow(turn, body) {
  for await (const event of ask(body, stopper.signal)) {
    if (event.name === "accepted") {
      settle(event.data);
      rememberAsking({ question: turn.question, clientId: body.client_id, conversation: event.data.conversation_id });
    }
    if (event.name === "error") turn.fail(event.data.message);
    else if (event.name === "done") finish(turn, event.data);
    else turn.take(event);
  }
}

function settle({ conversation_id: id, conversation_title: title }) {
  if (!id) return;
  if (!messages.dataset.conversation) {
    messages.dataset.conversation = id;
    history.replaceState(null, "", `${document.documentElement.dataset.root}c/${id}/`);
  }
  named(id, title);
}

function finish(turn, done) {
  settle(done);
  turn.finish(done);
}

async function mend(turn, fault) {
  if (fault.name === "AbortError") return stopped(turn);
  if (fault instanceof ConnectionLost) return fetchLost(turn);
  if (!(fault instanceof ServerError)) throw fault;
  turn.fail(fault.message);
  box.write(turn.question);
}

async function stopped(turn) {
  turn.stop();
  announce(say("stopped"));
  const kept = await fetchAnswer(turn.path, { patient: false });
  if (kept?.article) finish(turn, kept);
}

async function fetchLost(turn, words = "lost") {
  turn.status.say(say(words));
  const kept = await fetchAnswer(turn.path);
  if (kept?.article) finish(turn, kept);
  else turn.fail(say("lost_for_good"), { canFetch: true });
}


function resume() {
  const asking = askingBefore();
  rememberAsking(null);
  const last = messages.lastElementChild;
  if (last?.matches("[data-working]")) {
    const { question, id } = last.dataset;
    last.previousElementSibling?.remove();
    last.remove();
    fetchLost(begin(question, byId(id)), "fetching");
  } else if (asking && (asking.conversation ?? "") === messages.dataset.conversation && !last?.matches(".message--answer")) {
    last?.remove();
    fetchLost(begin(asking.question, byClient(asking.clientId)), "fetching");
  }
}

document.addEventListener("ask:send", (event) => start(event.detail));
document.addEventListener("ask:stop", stop);
document.addEventListener("click", (event) => {
  const starter = event.target.closest("[data-asks]");
  if (starter) start({ question: starter.dataset.asks, ...box.choice() });
  const again = event.target.closest("[data-asks-again]");
  if (again) start({ question: again.closest(".message").dataset.question, ...box.choice() });
  const fetcher = event.target.closest("[data-fetches-answer]");
  if (fetcher) {
    const turn = turns.get(fetcher.closest(".turn"));
    turn.again();
    fetchLost(turn, "fetching");
  }
});

resume();

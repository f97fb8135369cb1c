// Where the reader looks. A new question goes to the top of the view with room below it for the answer, so nothing has to scroll while text arrives; after that the
// position is the reader's. A button leads to the end when it is out of sight.

const view = document.getElementById("talk-scroll");
const button = document.getElementById("to-end");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function toTop(turn) {
  for (const other of document.querySelectorAll(".turn--current")) if (other !== turn) other.classList.remove("turn--current");
  turn.classList.add("turn--current");
  view.scrollTo({ top: turn.offsetTop - view.offsetTop - 8, behavior: calm.matches ? "instant" : "smooth" });
}

function lastMessage() {
  return document.querySelector("#messages > .turn:last-child > .message:last-child, #messages > .message:last-child");
}

function watch() {
  const last = lastMessage();
  button.hidden = !last || last.getBoundingClientRect().bottom < view.getBoundingClientRect().bottom + 48;
}

button.addEventListener("click", () => {
  const hidden = lastMessage().getBoundingClientRect().bottom - view.getBoundingClientRect().bottom;
  view.scrollBy({ top: hidden + 24, behavior: calm.matches ? "instant" : "smooth" });
});
view.addEventListener("scroll", watch, { passive: true });
new ResizeObserver(watch).observe(document.getElementById("messages"));

const question = [...document.querySelectorAll("#messages > .message--question")].at(-1);
if (question) view.scrollTop = question.offsetTop - view.offsetTop - 8;

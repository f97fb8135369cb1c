// Drafts survive a reload: the text of the box, kept per conversation in this browser until it is sent. Also the knowledge bases and the kind of answer chosen.

export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    if (value === null || value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // no storage: it holds for this page only
  }
}

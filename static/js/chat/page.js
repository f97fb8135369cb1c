// Everything the chat page does; each behaviour is a file of its own.

import "./status-line.js";
import "./ask-box.js";
import "./chooser.js";
import "./conversations.js";
import "./fold.js";
import "./follow.js";
import "./evidence.js";
import "./walk-citations.js";
import "./copy-answer.js";
import "./feedback.js";
import "./talk.js";
import "./keys.js";

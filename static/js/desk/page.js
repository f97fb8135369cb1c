// The desk: one item of a list is current and is judged by keyboard or buttons. Each page's deeds are in a file of their own; what they share is in walk.js, undo.js and dialog.js.

import "../graph/filters.js";
import "./keys.js";
import "./suggestions.js";
import "./homonyms.js";
import "./entities.js";
import "./merged.js";
import "./quarantine.js";

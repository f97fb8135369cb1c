// What every page does. Each behaviour is a file of its own.

import "./theme-switch.js";
import "./toast.js";
import "./dialog.js";
import "./menu.js";
import "./times.js";

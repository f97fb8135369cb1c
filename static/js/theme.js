// Sets the reader's theme before the first paint. A plain script, because a module would come too late.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem("theme");
  } catch {
    // no storage: the system's theme it is
  }
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();

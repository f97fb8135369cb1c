// One theme for all pages: what was chosen on the others holds in the administration, and the other way round. A plain script, because it must come before
// django-unfold's own.
(() => {
  const THEIRS = "_x_adminTheme";
  try {
    const ours = localStorage.getItem("theme") ?? "system";
    localStorage.setItem(THEIRS, JSON.stringify(ours === "system" ? "auto" : ours));
    addEventListener("pagehide", () => {
      const chosen = JSON.parse(localStorage.getItem(THEIRS) ?? '"auto"');
      localStorage.setItem("theme", chosen === "auto" ? "system" : chosen);
    });
  } catch {
    // no storage: the system's theme it is
  }
})();

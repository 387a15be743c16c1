// Light or dark: what the person chose, otherwise what the system says. Runs before the page shows.
(() => {
  const root = document.documentElement;
  const asked = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme || (asked.matches ? "dark" : "light")) === "dark";
  try {
    const kept = localStorage.getItem("kostka.theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch {
    // Without storage the system decides.
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-toggle]")) return;
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("kostka.theme", root.dataset.theme);
    } catch {
      // It lasts as long as the page.
    }
  });
})();

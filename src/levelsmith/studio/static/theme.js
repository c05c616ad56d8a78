// Runs before the page is drawn, so that a chosen theme does not flash.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const show = () => {
    root.dataset.theme = chosen() ?? (dark.matches ? "dark" : "light");
    document.dispatchEvent(new Event("theme"));
  };
  show();
  dark.addEventListener("change", show);
  addEventListener("storage", show);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => {
      const other = root.dataset.theme === "dark" ? "light" : "dark";
      button.textContent = other === "dark" ? "\u263e" : "\u2600\ufe0e";
      button.title = `Switch to the ${other} theme`;
      button.setAttribute("aria-label", button.title);
    };
    label();
    document.addEventListener("theme", label);
    button.addEventListener("click", () => {
      const other = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", other); } catch { /* private windows may refuse */ }
      root.dataset.theme = other;
      document.dispatchEvent(new Event("theme"));
    });
  });
})();

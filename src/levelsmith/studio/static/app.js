// Finds the page that the path names, and opens it.
import { onDrop } from "./gallery/files.js";
import { el } from "./ui.js";

const PAGES = ["generate", "gallery", "edit", "play", "script", "pack", "compare"];

const name = location.pathname.split("/")[1] || "home";
const root = document.getElementById("page");
for (const link of document.querySelectorAll("nav a")) {
  if (link.getAttribute("href") === `/${name}`) link.setAttribute("aria-current", "page");
}
onDrop(root);
try {
  const page = await import(`./pages/${PAGES.includes(name) ? name : "home"}.js`);
  document.title = `${page.title} · levelsmith`;
  await page.default(root, new URLSearchParams(location.search));
} catch (error) {
  console.error(error);
  root.replaceChildren(
    el("section", { class: "card problem" },
      el("h1", {}, "This page did not open"),
      el("p", {}, error.message),
      el("p", {}, el("a", { href: location.href }, "Try again"))),
  );
}

// The demo: pictures of all levels to choose from, and the one that is played below them.
import { levels } from "../api.js";
import { Stage } from "../play/stage.js";
import { thumb } from "../thumb.js";
import { button, el, guarded } from "../ui.js";

const heading = el("h2", { class: "title" });
const badge = el("span", { class: "badge" });
const told = el("p", { class: "soft told" });
const previous = button("‹ Previous", () => stage.go(-1));
const next = button("Next ›", () => stage.go(1));

const stage = new Stage(levels, (level, index) => {
  heading.textContent = level.title;
  badge.hidden = !level.tier;
  badge.textContent = level.tier ?? "";
  told.textContent = level.told;
  previous.disabled = index <= 0;
  next.disabled = index >= levels.length - 1;
  choices.forEach((choice, i) => choice.setAttribute("aria-current", String(i === index)));
  choices[index].scrollIntoView({ block: "nearest", inline: "nearest" });
});

const choices = levels.map((level) => button(
  [
    thumb(level, "", 64),
    el("span", {}, el("strong", {}, level.title), el("small", {}, level.tier ?? level.size.replace("x", " × "))),
  ],
  guarded(() => stage.open(level)),
  { class: "choice" },
));

document.getElementById("choices").append(...choices);
document.getElementById("stage").append(
  el("div", { class: "row which" }, heading, badge, told, previous, next),
  stage.element,
);
guarded(() => stage.open(levels[0]))();

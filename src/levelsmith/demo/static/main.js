// The demo: pictures of all levels to choose from, the one that is played below them, and others made in the page.
import { gameOf, levels, makers } from "../api.js";
import { ask } from "../background.js";
import { ABOUT } from "../games/about.js";
import { Stage } from "../play/stage.js";
import { thumb } from "../thumb.js";
import { button, el, guarded, number } from "../ui.js";

const SEEDS = 1e6; // that levels are made of here
const heading = el("h2", { class: "title" });
const badge = el("span", { class: "badge" });
const told = el("p", { class: "soft told", role: "status" });
const origin = el("p", { class: "soft origin" });
const previous = button("‹ Previous", () => stage.go(-1));
const next = button("Next ›", () => stage.go(1));
const another = button("Another one", guarded(makeAnother), { title: "Make another level here, in the page" });
let shown = null; // the level that is played
let making = null; // what stops the one that is being made

const stage = new Stage(levels, (level, index) => {
  shown = level;
  heading.textContent = level.title;
  badge.hidden = !level.tier;
  badge.textContent = level.tier ?? "";
  previous.disabled = index <= 0;
  next.disabled = index >= levels.length - 1;
  if (!making) tell();
  choices.forEach((choice, i) => choice.setAttribute("aria-current", String(i === index)));
  choices[index].scrollIntoView({ block: "nearest", inline: "nearest" });
});

/** What the level is like, where it comes from, and whether others can be made here. */
function tell() {
  told.textContent = shown.told;
  another.hidden = !makers[shown.game];
  another.textContent = "Another one";
  const elsewhere = [`This page makes no ${ABOUT[shown.game].NAME} levels; the command does: `, `levelsmith generate ${shown.game}`];
  const [words, command] = shown.command ? ["The same again: ", shown.command] : elsewhere;
  origin.replaceChildren(...(another.hidden || shown.command ? [words, el("code", {}, command)] : []));
}

/** Makes a level like the one that is shown, in the background, and plays it; asked once more, it stops. */
async function makeAnother() {
  if (making) {
    making.abort();
    return;
  }
  const { game } = shown;
  const seed = Math.floor(Math.random() * SEEDS);
  making = new AbortController();
  another.textContent = "Stop";
  told.textContent = "Making one …";
  try {
    const progress = (tries) => { told.textContent = `Making one … ${number(tries)} tried`; };
    const asked = { kind: await gameOf(game), maker: makers[game], seed };
    const made = await ask(game, "make", asked, { signal: making.signal, progress, parts: [`${game} make`] });
    const rows = made.text.split("\n");
    const command = makers[game].command.replace(/--seed \d+$/, `--seed ${seed}`);
    const level = { ...made, game, seed, command, title: `${ABOUT[game].NAME} of seed ${seed}`, size: `${rows[0].length}x${rows.length}` };
    levels.push(level);
    choices.push(choiceOf(level));
    document.getElementById("choices").append(choices.at(-1));
    making = null;
    await stage.open(level);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  } finally {
    making = null;
    tell();
  }
}

const named = ({ game, title, size, seed, tier }) => {
  const [name, more] = seed === undefined ? [title, tier ?? size.replace("x", " × ")] : [ABOUT[game].NAME, `seed ${seed}`];
  return [el("strong", {}, name), el("small", {}, more)];
};
const choiceOf = (level) => button(
  [
    thumb(level, "", 64),
    el("span", {}, ...named(level)),
  ],
  guarded(() => stage.open(level)),
  { class: "choice" },
);
const choices = levels.map(choiceOf);

document.getElementById("choices").append(...choices);
document.getElementById("stage").append(
  el("div", { class: "row which" }, heading, badge, told, another, previous, next),
  stage.element,
  origin,
);
guarded(() => stage.open(levels[0]))();

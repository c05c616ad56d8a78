// PuzzleScript: a game, its levels to look at and to play, and its source beside them.
import { constant, post } from "../api.js";
import { takeDrops } from "../gallery/files.js";
import { levelsOf } from "../games/packs.js";
import { Stage } from "../play/stage.js";
import { keptScript, keepScript } from "../scripts.js";
import { SourceText } from "../source.js";
import { Workshop } from "../workshop.js";
import { button, debounce, el, guarded, plural, problemLine, select } from "../ui.js";

export const title = "PuzzleScript";
const WAIT = 500; // milliseconds after the last letter

export default async function page(root, parameters) {
  const { scripts } = await constant("scripts");
  const heading = el("h1", {}, "PuzzleScript");
  const place = el("p", { class: "soft" });
  const problem = problemLine();
  const choices = el("div", { class: "row shelf" });
  const stageFrame = el("div", {});
  const file = el("input", { type: "file", accept: ".txt,.puzzlescript,text/plain", hidden: true, onchange: () => file.files[0] && take(file.files[0]) });
  const ours = select([["", "One of ours"], ...Object.keys(scripts).map((name) => [name, name.split(":").at(-1)])], "", (name) => name && open(scripts[name]));
  ours.setAttribute("aria-label", "Open one of ours");
  let stage = null;
  let asked = 0;

  const check = guarded(async () => {
    const mine = asked += 1;
    const text = source.value;
    keepScript(text);
    if (!text.trim()) return show(null);
    const answer = await post("script", { text });
    if (mine !== asked) return undefined; // it was changed meanwhile
    source.mark(answer.faults);
    return show(answer);
  }, problem);
  const source = new SourceText(debounce(check, WAIT));
  const workshop = new Workshop({ text: () => source.value, change: open, watch: (level) => stage.open(level) });

  async function open(text) {
    source.value = text;
    await check();
  }

  async function take(given) {
    await open((await given.text()).replace(/^\ufeff/, "").replaceAll("\r\n", "\n"));
  }

  async function show(answer) {
    await stage?.close();
    stage = null;
    stageFrame.replaceChildren();
    const game = answer?.game;
    heading.textContent = game?.title || "PuzzleScript";
    const levels = game ? levelsOf(game) : [];
    place.textContent = told(answer, levels);
    const pictures = levels.map((level, i) => {
      const picture = el("canvas", { class: "pixels", "aria-hidden": "true" });
      level.pixels.draw(picture, level.board.board, level.board);
      return button([picture, el("small", {}, level.title)], guarded(() => stage.open(level)), { class: "choice", "aria-label": `Play level ${i + 1}` });
    });
    choices.replaceChildren(...pictures);
    workshop.show(game, levels);
    if (!levels.length) return;
    stage = new Stage(levels, (level, index) => {
      pictures.forEach((one, i) => one.setAttribute("aria-current", String(i === index)));
      workshop.pick(level, index);
    });
    stageFrame.replaceChildren(stage.element);
    await stage.open(levels[Number(parameters.get("level"))] ?? levels[0]);
    parameters.delete("level"); // of the game as it was
  }

  takeDrops((files) => guarded(take, problem)(files[0]));
  root.replaceChildren(
    el("div", { class: "row spread" }, el("div", { class: "head" }, heading, place),
      el("div", { class: "row" }, ours, button("Open a file", () => file.click()), file)),
    problem, choices,
    el("div", { class: "two" }, stageFrame, el("div", { class: "stack" }, workshop.element, source.element)));
  await open(keptScript());
}

/** What is played, in a few words. */
function told(answer, levels) {
  if (!answer) return "Drop or paste a PuzzleScript file, or open one of ours.";
  const wrong = answer.faults.filter((fault) => !fault.odd).length;
  if (!answer.game) return `It cannot be played yet: ${plural(wrong, "mistake")}, marked in the source.`;
  const by = answer.game.author && `by ${answer.game.author}`;
  return [by, plural(levels.length, "level"), wrong && `${plural(wrong, "mistake")}; it is played without the faulty parts`].filter(Boolean).join(" · ");
}

// PuzzleScript: a game, its levels to look at and to play, and its source beside them.
import { constant, post } from "../api.js";
import { takeDrops } from "../gallery/files.js";
import { opener, Script } from "../script.js";
import { keptScript, keepScript } from "../scripts.js";
import { Workshop } from "../workshop.js";
import { button, capital, el, empty, guarded } from "../ui.js";

export const title = "PuzzleScript";

export default async function page(root, parameters) {
  const { scripts } = await constant("scripts");
  const script = new Script({
    read: (text) => post("script", { text }),
    changed: () => keepScript(script.source.file),
    shown(game, levels) {
      workshop.show(game, levels);
      first.hidden = Boolean(script.source.value.trim());
    },
    picked: (level, index) => workshop.pick(level, index),
  });
  const open = (text) => script.open(text);
  const workshop = new Workshop({ text: () => script.source.value, file: () => script.source.file, change: open, watch: (level) => script.watch(level) });
  const { problem } = script;
  const first = empty("Open your own game, paste it into the source, or begin with one of these:",
    ...Object.entries(scripts).map(([name, text]) => button(capital(name.split(":").at(-1)), guarded(() => open(text), problem))));
  takeDrops(guarded(async (files) => open(await files[0].text()), problem));
  root.replaceChildren(
    el("div", { class: "row spread" }, el("div", { class: "head" }, script.heading, script.place), opener(scripts, open, problem)),
    problem, script.choices,
    el("div", { class: "two" }, el("div", {}, first, script.stage), el("div", { class: "stack" }, workshop.element, script.source.element)));
  await script.open(keptScript(), Number(parameters.get("level")));
}

// A binary map that is looked at, with its longest path.
import { gameOf } from "../api.js";
import { Board, drawWay } from "../board.js";
import * as binary from "../rules/binary.js";
import { tilesOf } from "../thumb.js";
import { el, number, stat, stats } from "../ui.js";

export async function play({ frame, side, level }) {
  const state = binary.parse(level.text);
  const regions = binary.regions(state);
  const path = binary.longest(state);
  const steps = Math.max(0, path.length - 1);
  const board = new Board(frame, { marks: (context, side) => drawWay(context, side, shown.checked ? path : []) });
  const shown = el("input", { type: "checkbox", checked: true, onchange: () => board.redraw() });
  side.append(el("section", { class: "card" },
    stats(stat("Longest path", number(steps)), stat("Regions", number(regions.length)), stat("Empty cells", number(regions.flat().length))),
    el("label", { class: "check" }, shown, "Show the path"),
    el("p", { class: "soft" }, "The longest of all shortest paths between two empty cells.")));
  board.label = `A binary map of ${level.size}: longest path ${steps} steps, ${regions.length} regions`;
  board.show(tilesOf(await gameOf(level.game), level.text));
  await board.dress(level.game);
}

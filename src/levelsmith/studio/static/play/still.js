// A level that is looked at: binary maps with their longest path, other games as they are.
import { gameOf } from "../api.js";
import { Board, drawWay } from "../board.js";
import * as binary from "../rules/binary.js";
import { el, number, stat, stats } from "../ui.js";

export async function play({ frame, side, level }) {
  const game = await gameOf(level.game);
  const names = new Map(game.tiles.map((tile) => [tile.char, tile.name]));
  const tiles = level.text.split("\n").map((row) => [...row].map((symbol) => names.get(symbol)));
  let path = [];
  const board = new Board(frame, { marks: (context, side) => drawWay(context, side, shown.checked ? path : []) });
  const shown = el("input", { type: "checkbox", checked: true, onchange: () => board.redraw() });
  if (level.game === "binary") {
    const state = binary.parse(level.text);
    const regions = binary.regions(state);
    path = binary.longest(state);
    const steps = Math.max(0, path.length - 1);
    side.append(el("section", { class: "card" },
      stats(stat("Longest path", number(steps)), stat("Regions", number(regions.length)), stat("Empty cells", number(regions.flat().length))),
      el("label", { class: "check" }, shown, "Show the path"),
      el("p", { class: "soft" }, "The longest of all shortest paths between two empty cells.")));
    board.label = `A binary map of ${level.size}: longest path ${steps} steps, ${regions.length} regions`;
  } else {
    side.append(el("section", { class: "card" }, el("p", { class: "soft" }, `Levels of ${level.game} are to be looked at.`)));
    board.label = `A level of ${level.game}, ${level.size}`;
  }
  board.show(tiles);
  await board.dress(level.game);
}

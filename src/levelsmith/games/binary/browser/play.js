// A cave map to walk through, from its entry to its exit, or from one end of its longest path to the other.
import { gameOf } from "../../api.js";
import { Board, drawDisc, drawWash, drawWay } from "../../board.js";
import { apart, mapOf } from "./chart.js";
import { charted } from "./charted.js";
import { tilesOf } from "../../thumb.js";
import { button, el, keys, number, plural, speak, stat, stats } from "../../ui.js";
import { ARROWS, directionOf, gestures, keyOf, pad } from "../../play/steer.js";

const STEPS = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };

export async function play({ frame, side, level, finished, did, controls, help = true }) {
  const kind = await gameOf("binary");
  const map = mapOf(kind, level.text);
  const told = await charted(map);
  const { metrics, way: through } = told;
  const path = through.length ? through : told.path;
  const shortest = Math.max(0, path.length - 1);
  const [entry, exit] = [path[0], path.at(-1)];
  const elsewhere = path.length ? apart(told, told.regions[entry[0] * map.width + entry[1]]).map((cell) => [Math.floor(cell / map.width), cell % map.width]) : [];
  let trail = path.slice(0, 1); // where the walker has been, the entry first
  const board = new Board(frame, { marks: draw });
  const shown = el("input", { type: "checkbox", checked: help, onchange: () => board.redraw() });
  const steps = stat("Steps", "0");
  const isOpen = (tile) => kind.tiles[tile].name === "empty";

  function draw(context, cell) {
    if (!path.length) return;
    drawWash(context, cell, elsewhere);
    if (shown.checked) drawWay(context, cell, path);
    for (const end of [entry, exit]) drawDisc(context, cell, end, "end");
    drawDisc(context, cell, trail.at(-1), "walker");
  }

  function show() {
    steps.set(number(trail.length - 1));
    undo.disabled = again.disabled = trail.length <= 1;
    board.redraw();
  }

  function go(letter) {
    if (!shortest || isOut()) return;
    const [row, col] = trail.at(-1).map((at, i) => at + STEPS[letter][i]);
    const inside = row >= 0 && row < map.height && col >= 0 && col < map.width;
    if (!inside || !isOpen(map.tiles[row * map.width + col])) return;
    trail.push([row, col]);
    did("moves");
    show();
    if (isOut()) end();
  }

  const isOut = () => String(trail.at(-1)) === String(exit);

  function end() {
    const message = `Out in ${plural(trail.length - 1, "step")}; the shortest way takes ${number(shortest)}.`;
    finished({ message, lost: false, again: restart, result: trail.length - 1 });
    speak(message);
  }

  function back() {
    did("undos");
    if (trail.length > 1) trail.pop();
    finished(null);
    show();
  }

  function restart() {
    did("restarts");
    trail = path.slice(0, 1);
    finished(null);
    show();
  }

  const undo = button("Undo", back, { title: "Undo (z)" });
  const again = button("Restart", restart, { title: "Restart (r)" });
  side.append(
    el("section", { class: "card" },
      stats(steps, stat(through.length ? "Way through" : "Longest path", number(shortest)), stat("Regions", number(metrics.regions)), stat("Empty cells", number(metrics.empty))),
      el("div", { class: "row" }, undo, again),
      help ? el("label", { class: "check" }, shown, "Show the path") : "",
      el("p", { class: "soft" }, through.length ? "The shortest way from the entry to the exit."
        : "The longest of all shortest paths between two empty cells."),
      elsewhere.length ? el("p", { class: "soft" }, `${plural(elsewhere.length, "marked cell")} cannot be reached from here.`) : ""),
    el("section", { class: "card" }, el("h2", {}, "How to play"),
      el("p", { class: "soft" }, `Walk from ${through.length ? "the entry to the exit" : "one end of the path to the other"}, with arrow keys or WASD.`),
      keys({ z: "undo", r: "restart", n: "next", p: "previous" })));
  frame.after(pad([
    ["↶", "Undo the last step", back], [...ARROWS.u, () => go("u")], ["↺", "Restart the walk", restart],
    ...["l", "d", "r"].map((letter) => [...ARROWS[letter], () => go(letter)]),
  ]));
  controls({
    key(event) {
      const letter = directionOf(event);
      if (letter) go(letter);
      else if (keyOf(event) === "z" || event.key === "Backspace") back();
      else if (keyOf(event) === "r") restart();
      else return false;
      return true;
    },
  });
  gestures(board.canvas, { click: () => {}, swipe: go });
  board.label = `A cave map of ${level.size}: longest path ${plural(shortest, "step")}, ${plural(metrics.regions, "region")}`;
  board.show(tilesOf(kind, level.text));
  show();
  await board.dress(level.game);
}

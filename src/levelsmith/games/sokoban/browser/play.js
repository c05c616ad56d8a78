// Sokoban to play: keys, swipes and clicks, undo, and the solution as a film.
import { post } from "../../api.js";
import { Board, drawCursor } from "../../board.js";
import { withoutOutside } from "../../outside.js";
import * as rules from "./rules.js";
import { button, el, keys, number, plural, speak, stat, stats } from "../../ui.js";
import { Playback } from "../../play/playback.js";
import { ARROWS, directionOf, keyOf, pad } from "../../play/steer.js";

const GLIDE = 90; // milliseconds of a move
const SWIPE = 28; // CSS pixels

export async function play({ frame, side, level, finished, did, controls }) {
  const start = rules.parse(level.text);
  let trail; // {state, ids, push} after each move, the start first
  let waiting = ""; // moves of a walk that was asked for by a click
  let timer = 0;
  let chosen = null; // the box that was clicked
  const board = new Board(frame, {
    marks: (context, cell) => chosen && drawCursor(context, cell, chosen),
  });
  const counts = { moves: stat("Moves", "0"), pushes: stat("Pushes", "0"), boxes: stat("Boxes home", "0") };
  const best = el("p", { class: "soft" }, "\u00a0");
  const now = () => trail.at(-1);
  const pushes = () => trail.filter((entry) => entry.push).length;

  function show(milliseconds = GLIDE) {
    const { state, ids } = now();
    const goal = (at) => state.board.goals.has(at);
    const things = [...state.boxes].map((box) => thing(ids.get(box), goal(box) ? "box on goal" : "box", box));
    board.show(ground(state), [...things, thing("player", "player", state.player)], milliseconds);
    counts.moves.set(number(trail.length - 1));
    counts.pushes.set(number(pushes()));
    counts.boxes.set(`${homes(state)} / ${state.boxes.size}`);
    buttons.undo.disabled = buttons.restart.disabled = trail.length === 1;
  }

  function thing(id, kind, at) {
    const [row, col] = rules.place(start.board, at);
    return { id, kind, row, col };
  }

  function move(letter) {
    const { state, ids } = now();
    const after = rules.step(state, letter);
    if (!after) return false;
    const push = after.boxes !== state.boxes;
    let carried = ids;
    if (push) {
      carried = new Map(ids);
      const [from] = [...state.boxes].filter((box) => !after.boxes.has(box));
      const [to] = [...after.boxes].filter((box) => !state.boxes.has(box));
      carried.set(to, carried.get(from)).delete(from);
    }
    trail.push({ state: after, ids: carried, push });
    did("moves");
    chosen = null;
    show(Math.min(GLIDE, film.delay));
    if (homes(after) !== homes(state)) speak(`${homes(after)} of ${plural(after.boxes.size, "box")} home`);
    if (rules.solved(after)) end();
    return true;
  }

  function end() {
    halt();
    const told = `Solved in ${plural(trail.length - 1, "move")} and ${plural(pushes(), "push")}.`;
    finished({ message: told, lost: false, again: restart });
    speak(told);
  }

  function halt() {
    film.stop();
    waiting = "";
    clearTimeout(timer);
  }

  function act(letter) {
    halt();
    if (!rules.solved(now().state)) move(letter);
  }

  function follow(moves) {
    halt();
    waiting = moves;
    const next = () => {
      if (!waiting) return;
      const letter = waiting[0].toLowerCase();
      waiting = waiting.slice(1);
      if (move(letter)) timer = setTimeout(next, GLIDE);
    };
    next();
  }

  function undo() {
    halt();
    did("undos");
    if (trail.length > 1) trail.pop();
    finished(null);
    show();
  }

  function restart() {
    halt();
    did("restarts");
    trail = [{ state: start, ids: new Map([...start.boxes].map((box, i) => [box, i])), push: false }];
    chosen = null;
    finished(null);
    show();
  }

  function click(cell) {
    const { state } = now();
    if (!cell || rules.solved(state)) return;
    const at = rules.cell(state.board, ...cell);
    if (state.boxes.has(at)) {
      chosen = chosen && String(chosen) === String(cell) ? null : cell;
      board.redraw();
      return;
    }
    const moves = chosen ? rules.carry(state, chosen, cell) : rules.walk(state, cell);
    if (moves === null) speak(chosen ? "The box cannot be brought there." : "The way there is blocked.");
    chosen = null;
    board.redraw();
    if (moves) follow(moves);
  }

  const buttons = {
    undo: button("Undo", undo, { title: "Undo (z)" }),
    restart: button("Restart", restart, { title: "Restart (r)" }),
  };
  const film = new Playback({
    solution: () => level.solution && rules.moves(level.solution),
    rewind() {
      did("film");
      restart();
    },
    step: (letter) => move(letter.toLowerCase()),
  });
  side.append(
    el("section", { class: "card" }, stats(...Object.values(counts)), best, el("div", { class: "row" }, ...Object.values(buttons))),
    film.element,
    el("section", { class: "card" }, el("h2", {}, "How to play"), el("p", { class: "soft" },
      "Push every box onto a goal. Arrow keys or WASD, swipes, or a click where to walk; click a box and then where it shall go."),
      keys({ z: "undo", r: "restart", n: "next", p: "previous" })),
  );
  frame.after(pad([
    ["↶", "Undo the last move", undo], [...ARROWS.u, () => act("u")], ["↺", "Restart the level", restart],
    ...["l", "d", "r"].map((letter) => [...ARROWS[letter], () => act(letter)]),
  ]));
  controls({
    key(event) {
      const letter = directionOf(event);
      if (letter) act(letter);
      else if (keyOf(event) === "z" || event.key === "Backspace") undo();
      else if (keyOf(event) === "r") restart();
      else return false;
      return true;
    },
    stop: halt,
  });
  gestures(board.canvas, { click: (event) => click(board.at(event)), swipe: act });
  board.label = `Sokoban, ${start.board.width} by ${start.board.height} cells, ${plural(start.boxes.size, "box")}`;
  restart();
  await board.dress("sokoban");
  tell(level, best, film);
}

const homes = (state) => [...state.boxes].filter((box) => state.board.goals.has(box)).length;

/** The tiles below boxes and player; nothing outside the walls. */
function ground({ board, player, boxes }) {
  const { height, width } = board;
  const cell = (named) => Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, col) => named(rules.cell(board, row, col))));
  const below = (at) => (board.goals.has(at) ? "goal" : ["floor", "wall"][board.tiles[at]]);
  const inside = withoutOutside(cell((at) => (at === player || boxes.has(at) ? "thing" : below(at))), "floor", new Set(["wall"]));
  return cell(below).map((names, row) => names.map((name, col) => inside[row][col] && name));
}

/** What the fewest moves and pushes are, as far as it is known. */
async function tell(level, best, film) {
  const show = (moves, pushes, word) => {
    best.textContent = `${word}: ${plural(moves, "move")}, ${plural(pushes, "push")}`;
  };
  const count = (solution, word) => {
    const plain = rules.moves(solution);
    show(plain.length, plain.replace(/[^UDLR]/g, "").length, word);
  };
  if (level.solution) count(level.solution, "Best known");
  try {
    const answer = await post("check", { game: "sokoban", text: level.text, solve: true });
    if (answer.solution) {
      level.solution = answer.solution;
      count(answer.solution, answer.optimal === false ? "Best known" : "Fewest pushes");
    } else if (!level.solution) {
      best.textContent = answer.status === "unsolvable" ? "This level has no solution." : "No solution is known.";
    }
  } catch {
    if (!level.solution) best.textContent = "No solution is known.";
  }
  film.refresh();
}

function gestures(canvas, { click, swipe }) {
  let anchor = null;
  canvas.addEventListener("pointerdown", (event) => {
    anchor = { x: event.clientX, y: event.clientY, moved: false };
    if (event.pointerType !== "mouse") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!anchor || event.pointerType === "mouse") return;
    const [x, y] = [event.clientX - anchor.x, event.clientY - anchor.y];
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    anchor = { x: event.clientX, y: event.clientY, moved: true };
    if (Math.abs(x) > Math.abs(y)) swipe(x > 0 ? "r" : "l");
    else swipe(y > 0 ? "d" : "u");
  });
  canvas.addEventListener("pointerup", (event) => {
    if (anchor && !anchor.moved) click(event);
    anchor = null;
  });
  canvas.addEventListener("pointercancel", () => { anchor = null; });
}

// Sokoban to play: keys, swipes and clicks, undo, hints, what is lost, and the solution as a film.
import { gameOf } from "../../api.js";
import { ask, compiledOf } from "../../background.js";
import { Board, drawCross, drawCursor, drawWay } from "../../board.js";
import { withoutOutside } from "../../outside.js";
import { Outlook } from "../../play/outlook.js";
import { Playback } from "../../play/playback.js";
import { boardOf, cell, check, Game, kinds, place } from "./game.js";
import { button, capital, compact, el, keys, number, plural, speak, stat, stats } from "../../ui.js";
import { ARROWS, directionOf, gestures, keyOf, pad } from "../../play/steer.js";

const GLIDE = 90; // milliseconds of a move
const SECONDS = 10; // for a proof
const WAYS = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };
const NAMES = { u: "up", d: "down", l: "to the left", r: "to the right" };

export async function play({ frame, side, level, finished, did, controls, help = true, kept = "", keep = () => {} }) {
  const [kind, compiled] = await Promise.all([gameOf("sokoban"), compiledOf("sokoban")]);
  const start = boardOf(kind, level.text);
  check(start, compiled.constants);
  const game = new Game(compiled, start);
  const { isBox, isGoal, isPlayer } = kinds(compiled.constants);
  const boxesOf = ({ tiles }) => [...tiles.keys()].filter((at) => isBox(tiles[at]));
  const total = boxesOf(start).length;
  let trail; // {position, ids, push, letter} after each move, the start first
  let waiting = ""; // moves of a walk that was asked for by a click
  let timer = 0;
  let chosen = null; // the box that was clicked
  let shown = []; // cells of a hint: the way to a box, and where it goes
  let stuck = []; // boxes that are why it cannot be won
  let begun = false; // once the start is looked at
  const board = new Board(frame, {
    marks(context, side) {
      if (shown.length) drawWay(context, side, shown);
      drawCross(context, side, stuck);
      if (chosen) drawCursor(context, side, chosen);
    },
  });
  const counts = { moves: stat("Moves", "0"), pushes: stat("Pushes", "0"), boxes: stat("Boxes home", "0") };
  const best = el("p", { class: "soft" }, "\u00a0");
  const now = () => trail.at(-1);
  const pushes = () => trail.filter((entry) => entry.push).length;

  function show(milliseconds = GLIDE) {
    const { position, ids } = now();
    const goal = (at) => isGoal(start.tiles[at]);
    const things = boxesOf(position).map((box) => thing(ids.get(box), goal(box) ? "box on goal" : "box", box));
    board.show(ground, [...things, thing("player", "player", position.player)], milliseconds);
    counts.moves.set(number(trail.length - 1));
    counts.pushes.set(number(pushes()));
    counts.boxes.set(`${total - position.left} / ${total}`);
    buttons.undo.disabled = buttons.restart.disabled = trail.length === 1;
    keep(position.left ? trail.slice(1).map(({ letter }) => letter).join("") : "");
  }

  function thing(id, kind, at) {
    const [row, col] = place(start, at);
    return { id, kind, row, col };
  }

  /** Makes a move, where it can be made, and shows nothing; says what came of it. */
  function advance(letter) {
    const { position, ids } = now();
    const after = game.step(position, letter);
    if (!after) return null;
    const push = game.pushed(position, after);
    let carried = ids;
    if (push) {
      carried = new Map(ids);
      carried.set(2 * after.player - position.player, carried.get(after.player)).delete(after.player);
    }
    trail.push({ position: after, ids: carried, push, letter });
    return { position, after, push };
  }

  function move(letter) {
    const made = advance(letter);
    if (!made) return false;
    const { position, after, push } = made;
    did("moves");
    forget();
    show(Math.min(GLIDE, film.delay));
    if (after.left !== position.left) speak(`${total - after.left} of ${plural(total, "box")} home`);
    if (!after.left) end();
    else if (push && film.delay === Infinity) look();
    return true;
  }

  /** Takes away what was shown of one position alone. */
  function forget() {
    chosen = null;
    shown = [];
    hinted.textContent = "";
  }

  function end() {
    halt();
    const told = `Solved in ${plural(trail.length - 1, "move")} and ${plural(pushes(), "push")}.`;
    finished({ message: told, lost: false, again: restart, result: pushes() });
    speak(told);
  }

  function halt() {
    film.stop();
    waiting = "";
    clearTimeout(timer);
  }

  function act(letter) {
    halt();
    if (now().position.left) move(letter);
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
    resume();
  }

  /** Shows the position at hand, after some were taken back. */
  function resume() {
    forget();
    stuck = [];
    finished(null);
    show();
    look();
  }

  /** Finds out whether it can still be won, where the page helps. */
  function look() {
    if (help && begun) outlook.look();
  }

  function restart() {
    halt();
    did("restarts");
    begin();
    resume();
  }

  function begin() {
    trail = [{ position: game.start, ids: new Map(boxesOf(start).map((box, i) => [box, i])), push: false, letter: "" }];
  }

  async function click(to) {
    const { position } = now();
    if (!to || !position.left) return;
    const [at, from] = [to, chosen].map((one) => one && cell(start, ...one));
    forget();
    if (isBox(position.tiles[at])) {
      if (from !== at) chosen = to;
      board.redraw();
      return;
    }
    board.redraw();
    const carried = from && ask("sokoban", "solve", { board: game.alone(start, position, from, at, compiled.constants.tiles), seconds: SECONDS });
    const moves = from ? (await carried).solution : game.walk(position, at);
    if (moves === null) speak(from ? "The box cannot be brought there." : "The way there is blocked.");
    else if (position === now().position) follow(moves);
  }

  /** What is proved about a position. */
  const prove = (position, options) => ask("sokoban", "solve", { board: { ...start, tiles: position.tiles }, seconds: SECONDS }, options);

  const outlook = new Outlook({
    prove,
    positions: () => trail.filter(({ push }, i) => push || i === 0).map(({ position }) => position),
    told(lost) {
      stuck = lost?.proof.stuck ?? [];
      board.redraw();
      if (!lost) return;
      did("told_lost");
      const why = lost.proof.why ? ` ${capital(lost.proof.why)}.` : "";
      if (!lost.first) {
        finished({ message: `This level has no solution.${why}`, lost: true });
        return;
      }
      const message = `From here it cannot be won any more.${why}`;
      finished({ message, lost: true, label: "Back to where it could", again: () => back(lost.first) });
      speak(message);
    },
  });

  /** Takes back all from the push on that has lost it. */
  function back(push) {
    halt();
    did("undos");
    trail.length = trail.indexOf(trail.filter((entry) => entry.push)[push - 1]);
    resume();
  }

  /** Shows the next push of a shortest solution. */
  async function hint() {
    halt();
    did("hints");
    const { position } = now();
    hinted.textContent = "Looking for the next push …";
    const proof = await outlook.proof(position, { progress: (states) => { hinted.textContent = `Looking for the next push … ${compact(states)} positions`; } })
      .catch((error) => ({ error: error.message }));
    if (position !== now().position) return;
    hinted.textContent = proof.error ?? { unsolvable: "From here it cannot be won.", unknown: unproved(proof) }[proof.status] ?? "";
    if (proof.status === "unsolvable") outlook.look();
    if (!proof.solution) return;
    const count = proof.solution.search(/[UDLR]/) + 1;
    const spots = [place(start, position.player)];
    for (const letter of [...proof.solution.slice(0, count), proof.solution[count - 1]]) {
      const [down, right] = WAYS[letter.toLowerCase()];
      spots.push([spots.at(-1)[0] + down, spots.at(-1)[1] + right]);
    }
    shown = spots;
    board.redraw();
    hinted.textContent = `Push the box at row ${spots.at(-2)[0] + 1}, column ${spots.at(-2)[1] + 1} ${NAMES[proof.solution[count - 1].toLowerCase()]}: ${plural(proof.pushes, "push")} to go.`;
    speak(hinted.textContent);
  }

  const hinted = el("p", { class: "soft", role: "status" });
  const buttons = {
    undo: button("Undo", undo, { title: "Undo (z)" }),
    restart: button("Restart", restart, { title: "Restart (r)" }),
    ...(help ? { hint: button("Hint", hint, { title: "Hint (h)" }) } : {}),
  };
  const film = new Playback({
    solution: () => level.solution,
    rewind() {
      restart();
      did("film");
    },
    step: (letter) => move(letter.toLowerCase()),
  });
  side.append(
    el("section", { class: "card" }, stats(...Object.values(counts)), best, el("div", { class: "row" }, ...Object.values(buttons)), hinted),
    ...(help ? [film.element] : []),
    el("section", { class: "card" }, el("h2", {}, "How to play"), el("p", { class: "soft" },
      "Push every box onto a goal. Arrow keys or WASD, swipes, or a click where to walk; click a box and then where it shall go."),
      keys({ z: "undo", r: "restart", ...(help ? { h: "hint" } : {}), n: "next", p: "previous" })),
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
      else if (keyOf(event) === "h" && help) hint();
      else return false;
      return true;
    },
    stop() {
      halt();
      outlook.stop();
    },
  });
  gestures(board.canvas, { click: (event) => click(board.at(event)), swipe: act });
  board.label = `Sokoban, ${start.width} by ${start.height} cells, ${plural(total, "box")}`;
  const ground = below();
  begin();
  for (const letter of kept) if (!now().position.left || !advance(letter)) break;
  resume();
  await board.dress("sokoban");
  if (help) tell();

  /** The tiles below boxes and player; nothing outside the walls. */
  function below() {
    const rows = (name) => Array.from({ length: start.height }, (_, row) =>
      Array.from({ length: start.width }, (_, col) => name(start.tiles[cell(start, row, col)])));
    const names = rows((tile) => (isGoal(tile) ? "goal" : isBox(tile) || isPlayer(tile) ? "floor" : kind.tiles[tile].name));
    const inside = withoutOutside(rows((tile) => kind.tiles[tile].name), "floor", new Set(["wall"]));
    return names.map((line, row) => line.map((name, col) => inside[row][col] && name));
  }

  /** What the fewest moves and pushes are, as far as it is known. */
  async function tell() {
    const count = (solution, word) => {
      best.textContent = `${word}: ${plural(solution.length, "move")}, ${plural(solution.replace(/[^UDLR]/g, "").length, "push")}`;
    };
    if (level.solution) count(level.solution, "Best known");
    const progress = (states) => { if (!level.solution) best.textContent = `Solving … ${compact(states)} positions`; };
    const proof = await outlook.proof(game.start, { progress }).catch((error) => ({ error: error.message }));
    if (proof.solution) {
      level.solution = proof.solution;
      count(proof.solution, proof.optimal ? "Fewest pushes" : "Best known");
    } else if (!level.solution) {
      best.textContent = proof.error ?? (proof.status === "unsolvable" ? "This level has no solution." : unproved(proof));
    }
    film.refresh();
    begun = true;
    look();
  }
}

const unproved = ({ limit }) => (limit === "memory" ? "No solution was found in the memory that a page may take." : "No solution was found in time.");

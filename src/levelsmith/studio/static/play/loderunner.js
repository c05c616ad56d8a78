// Lode Runner to play in real time: the runner on keys or buttons, enemies after him, and the plan as a film.
import { post } from "../api.js";
import { Board } from "../board.js";
import * as rules from "../rules/loderunner.js";
import { button, el, field, keys, plural, speak, stat, stats } from "../ui.js";
import { Playback, whyNone } from "./playback.js";
import { ARROWS, directionOf, keyOf, pad } from "./steer.js";

const DIGS = { z: "L", q: "L", x: "R", e: "R" };
const NAMES = ["empty", "brick", "solid", "ladder", "rope"];
const TICK = 130; // milliseconds at normal speed
const FILLING = 6; // ticks in which a hole is seen to fill

export async function play({ frame, side, level, finished, controls }) {
  const start = rules.parse(level.text);
  let state = start;
  let timer = 0;
  let over = false;
  let held = []; // directions, the newest first
  let dig = null; // asked for
  let tapped = null; // the last direction, even if its key was let go before its turn
  let due = 0; // when the next turn is
  const board = new Board(frame, { marks: drawFilling });
  const gold = stat("Gold", `0 / ${start.board.pieces}`);
  const time = stat("Time", "0");
  const status = el("p", { class: "soft" }, "An arrow key or a button starts the run.");

  function show(milliseconds) {
    const thing = (id, kind, at, pace = 1) => {
      const [row, col] = rules.place(state.board, at);
      return { id, kind, row, col, milliseconds: pace * milliseconds };
    };
    const enemies = state.enemies.map((at, i) => thing(i, "enemy", at, rules.PACE));
    board.show(ground(state), [...enemies, thing("runner", "player", state.runner)]);
    gold.set(`${state.board.pieces - state.gold.size} / ${state.board.pieces}`);
    time.set(String(state.ticks));
  }

  function drawFilling(context, cell) {
    for (const [at, left] of state.holes) {
      if (left > FILLING) continue;
      const [row, col] = rules.place(state.board, at);
      const height = Math.round(cell * (1 - left / (FILLING + 1)));
      context.save();
      context.beginPath();
      context.rect(col * cell, (row + 1) * cell - height, cell, height);
      context.clip();
      board.sprites.tile(context, "brick", col * cell, row * cell, cell);
      context.restore();
    }
  }

  const tickLength = () => TICK / Number(speed.value);

  /** One turn: the runner falls, digs, goes where a key says, or waits. */
  function tick() {
    const wishes = rules.stands(state) ? [dig, tapped, ...held, "."] : ["d"];
    dig = tapped = null;
    let result;
    let move;
    for (move of wishes) {
      if (!move) continue;
      result = rules.chase(state, move);
      if (result.state || result.reason === rules.LOST) break;
    }
    if (!result.state) return end("The hole filled while you were in it.", true);
    const passed = result.state.ticks - state.ticks;
    const found = state.gold.size - result.state.gold.size;
    state = result.state;
    show(tickLength());
    if (found) speak(`Gold: ${state.gold.size} left.`);
    if (state.caught) return end("Caught!", true);
    if (rules.solved(state)) return end("All the gold is yours.", false);
    due = Math.max(due + passed * tickLength(), performance.now());
    timer = setTimeout(tick, due - performance.now());
  }

  function end(message, lost) {
    pause();
    over = true;
    status.textContent = message;
    pauseButton.textContent = lost ? "Try again" : "Play again";
    finished({ message, lost, again: restart });
    speak(message);
  }

  function run() {
    film.stop();
    if (over || timer) return;
    due = performance.now();
    timer = setTimeout(tick, 0);
    status.textContent = "Running";
    pauseButton.textContent = "Pause";
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    held = [];
    dig = tapped = null;
    status.textContent = "Paused";
    pauseButton.textContent = state.ticks ? "Go on" : "Start";
  }

  function restart() {
    pause();
    film.stop();
    state = start;
    over = false;
    finished(null);
    status.textContent = "An arrow key or a button starts the run.";
    pauseButton.textContent = "Start";
    show(0);
  }

  function press(letter) {
    if (letter === "L" || letter === "R") {
      dig = letter;
    } else {
      tapped = letter;
      held = [letter, ...held.filter((one) => one !== letter)];
    }
    run();
  }

  function release(letter) {
    held = held.filter((one) => one !== letter);
  }

  const goOn = () => {
    if (over) restart();
    else (timer ? pause : run)();
  };
  const pauseButton = button("Start", goOn, { title: "Pause (p)" });
  const speed = el("input", { type: "range", min: 0.4, max: 2, step: 0.1, value: 1 });
  const film = new Playback({
    solution: () => level.solution,
    rewind: restart,
    step(letter) {
      const after = rules.step(state, letter);
      if (!after) return false;
      state = after;
      show(Math.min(film.delay, TICK));
      if (rules.solved(state)) end("The plan collects all the gold.", false);
      return true;
    },
    note: start.enemies.length ? "Plans are proved with enemies that stand still." : null,
  });
  side.append(
    el("section", { class: "card" }, stats(gold, time), status,
      el("div", { class: "row" }, pauseButton, button("Restart", restart, { title: "Restart (r)" })), field("Speed", speed)),
    film.element,
    el("section", { class: "card" }, el("h2", {}, "How to play"),
      el("p", { class: "soft" }, "Collect all the gold: run, climb, hang on ropes, and dig through brick on your left or right. Holes fill again."),
      keys({ "← → ↑ ↓": "run", z: "dig left", x: "dig right", p: "pause", r: "restart" })),
  );
  const keyFor = (letter, [sign, name]) => [sign, name, () => press(letter), () => release(letter)];
  frame.after(pad([
    keyFor("L", ["⇙", "Dig left"]), keyFor("u", ARROWS.u), keyFor("R", ["⇘", "Dig right"]),
    ...["l", "d", "r"].map((letter) => keyFor(letter, ARROWS[letter])),
  ]));
  controls({
    key(event) {
      const name = keyOf(event);
      const letter = directionOf(event) ?? DIGS[name];
      if (letter) {
        if (!event.repeat) press(letter);
      } else if (name === "p") goOn();
      else if (name === "r") restart();
      else return false;
      return true;
    },
    up: (event) => release(directionOf(event)),
    blur: () => { held = []; },
    stop() {
      pause();
      film.stop();
    },
  });
  board.label = `Lode Runner, ${start.board.width} by ${start.board.height} cells, gold in ${plural(start.board.pieces, "place")}, enemies: ${start.enemies.length}`;
  restart();
  await board.dress("loderunner");
  if (!level.solution) {
    const answer = await post("check", { game: "loderunner", text: level.text, solve: true }).catch((error) => ({ error: error.message }));
    level.solution = answer.solution;
    film.refresh();
    if (!level.solution) film.place.textContent = whyNone(answer);
  }
}

function ground(state) {
  const { height, width } = state.board;
  return Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, col) => {
    const at = rules.cell(state.board, row, col);
    return state.gold.has(at) ? "gold" : NAMES[rules.ground(state, at)];
  }));
}

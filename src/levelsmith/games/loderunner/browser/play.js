// Lode Runner to play in real time: the runner on keys or buttons, guards after him, and the plan as a film.
import { post } from "../../api.js";
import { Board } from "../../board.js";
import { begin, isDig } from "./rules/game.js";
import { BRICK, DEAD, PLAYING } from "./rules/men.js";
import { RATE, isTimed, ticksOf } from "./rules/plan.js";
import * as still from "./rules/still.js";
import { button, el, field, keys, plural, speak, stat, stats } from "../../ui.js";
import { Playback, whyNone } from "../../play/playback.js";
import { drawBricks, showGame, showStill } from "./scene.js";
import { noted, sound, soundSwitch } from "./sound.js";
import { ARROWS, directionOf, keyOf, pad } from "../../play/steer.js";

const DIGS = { z: "L", q: "L", x: "R", e: "R" };
const STEP = 125; // milliseconds that a step of a film glides at most
const HINT = "An arrow key or a button starts the run.";

export async function play({ frame, side, level, finished, did, controls }) {
  let game = begin(level.text);
  let filmed = null; // a position of the plan while nobody moves, as long as that is shown
  let taken = false; // whether a plan has brought the game where it is
  let timer = 0;
  let held = []; // directions, the newest first
  let dig = null; // asked for
  let tapped = null; // the last direction, even if its key was let go before its turn
  let due = 0; // when the next tick is
  const board = new Board(frame, { marks: (context, cell) => filmed || drawBricks(context, cell, board, game) });
  const gold = stat("Gold", "");
  const time = stat("Time", "");
  const status = el("p", { class: "soft" }, HINT);

  function show(milliseconds) {
    if (filmed) showStill(board, filmed, milliseconds);
    else showGame(board, game, milliseconds);
    gold.set(`${game.pieces - (filmed ? filmed.gold.size : game.left)} / ${game.pieces}`);
    time.set(filmed ? `${filmed.ticks} moves` : `${(game.ticks / RATE).toFixed(1)} s`);
  }

  const tickLength = () => 1000 / (RATE * Number(speed.value));

  /** Goes on by a tick, with what is heard and said of it. */
  function advance(key, milliseconds) {
    const before = noted(game);
    game.tick(key);
    show(milliseconds);
    sound(before, game);
    if (game.left < before.left) speak(`Gold: ${game.left} left.`);
    if (game.left === 0 && before.left > 0 && game.exit) status.textContent = "All the gold is yours: climb out at the top.";
  }

  /** The key of the next tick; null where the one before stays, such as a dig that waits for the ground. */
  function wish() {
    const wishes = [tapped, ...held].filter(Boolean);
    const asked = dig;
    const waits = isDig(game.key) && !tapped;
    dig = tapped = null;
    if (asked) return asked;
    return waits ? null : wishes.find((key) => game.leads(key)) ?? wishes[0] ?? ".";
  }

  function tick() {
    advance(wish(), tickLength());
    if (game.status === DEAD) return end(isBuried() ? "The hole filled while you were in it." : "Caught!", true);
    if (game.status !== PLAYING) return end(game.exit ? "Out, with all the gold." : "All the gold is yours.", false);
    due = Math.max(due + tickLength(), performance.now());
    timer = setTimeout(tick, due - performance.now());
    return undefined;
  }

  const isBuried = () => game.nowAt(game.runner.row, game.runner.column) === BRICK;

  function end(message, lost) {
    pause();
    status.textContent = message;
    finished({ message, lost, again: restart });
    speak(message);
  }

  const isOver = () => game.status !== PLAYING || (filmed && still.solved(filmed));

  /** What the first button does next. */
  function label() {
    const begun = taken ? "Take over" : "Go on";
    pauseButton.textContent = game.status === DEAD ? "Try again"
      : isOver() ? "Play again" : timer ? "Pause" : game.ticks && !filmed ? begun : "Start";
  }

  function run() {
    film.stop();
    if (filmed) restart();
    if (isOver() || timer) return;
    taken = false;
    due = performance.now();
    timer = setTimeout(tick, 0);
    status.textContent = "Running";
    label();
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    held = [];
    dig = tapped = null;
    status.textContent = "Paused";
    label();
  }

  function restart() {
    film.stop();
    did("restarts");
    game = begin(level.text);
    filmed = null;
    taken = false;
    pause();
    finished(null);
    status.textContent = HINT;
    show(0);
  }

  function press(letter) {
    if (isOver()) return;
    did("moves");
    if (isDig(letter)) {
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
    if (isOver()) restart();
    else (timer ? pause : run)();
  };
  const pauseButton = button("Start", goOn, { title: "Pause (p)" });
  const speed = el("input", { type: "range", min: 0.4, max: 2, step: 0.1, value: 1, onpointerup: () => speed.blur() });

  /** A tick of a plan against guards, or a move of one while nobody moves; says whether it went. */
  function follow(step) {
    status.textContent = isTimed(level.solution) ? "The plan is shown; a key takes over." : "The plan is shown; a key starts a run of your own.";
    if (isTimed(level.solution)) {
      taken = true;
      advance(step, Math.min(film.delay, STEP));
      if (game.status === DEAD) end("The guards catch who follows this plan.", true);
      if (game.status === PLAYING) label();
    } else {
      const after = still.step(filmed ?? still.parse(level.text), step);
      if (!after) return false;
      filmed = after;
      show(Math.min(film.delay, STEP));
    }
    if (game.status !== DEAD && isOver()) end("The plan collects all the gold.", false);
    return !isOver();
  }

  const film = new Playback({
    solution: () => level.solution && (isTimed(level.solution) ? ticksOf(level.solution) : level.solution),
    rewind() {
      did("film");
      restart();
    },
    step: follow,
    unit: () => (level.solution && isTimed(level.solution) ? { word: "tick", rate: RATE, most: 10 * RATE } : undefined),
    note: () => (game.guards.length && level.solution && !isTimed(level.solution)
      ? "This plan was proved with guards that stand still, and they do in its film." : ""),
  });
  side.append(
    el("section", { class: "card" }, stats(gold, time), status,
      el("div", { class: "row" }, pauseButton, button("Restart", restart, { title: "Restart (r)" })),
      field("Speed", speed, `1 is ${RATE} ticks, or ${RATE / 5} cells, a second`), soundSwitch(el)),
    film.element,
    el("section", { class: "card" }, el("h2", {}, "How to play"),
      el("p", { class: "soft" }, "Collect all the gold: run, climb, hang on ropes, and dig through brick on your left or right. Guards fall into holes; walk over their heads before they climb out. A hole fills again after eight seconds, whoever is in it."),
      game.exit ? el("p", { class: "soft" }, "With the last gold a ladder appears: climb to the top.") : null,
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
    blur: () => timer && pause(),
    stop() {
      pause();
      film.stop();
    },
  });
  board.label = `Lode Runner, ${game.width} by ${game.height} cells, gold in ${plural(game.pieces, "place")}, enemies: ${game.guards.length}`;
  restart();
  await board.dress("loderunner");
  if (!level.solution) {
    const answer = await post("check", { game: "loderunner", text: level.text, solve: true }).catch((error) => ({ error: error.message }));
    level.solution = answer.solution;
    film.refresh();
    if (!level.solution) film.place.textContent = whyNone(answer);
  }
}

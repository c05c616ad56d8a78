// Lode Runner to play in real time: the runner on keys or buttons, guards after him, hints, and the plan as a film.
import { gameOf } from "../../api.js";
import { ask, compiledOf } from "../../background.js";
import { Board, drawCross, drawCursor, drawWay } from "../../board.js";
import { Game, isDig } from "./game.js";
import { boardOf, check } from "./level.js";
import { RATE, isTimed, ticksOf } from "./plan.js";
import { Still } from "./still.js";
import { button, capital, compact, el, field, keys, plural, speak, stat, stats } from "../../ui.js";
import { Playback, whyNone } from "../../play/playback.js";
import { drawBricks, showGame, showStill } from "./scene.js";
import { noted, sound, soundSwitch } from "./sound.js";
import { ARROWS, directionOf, keyOf, pad } from "../../play/steer.js";

const DIGS = { z: "L", q: "L", x: "R", e: "R" };
const STEP = 125; // milliseconds that a step of a film glides at most
const SECONDS = 10; // for a plan
const PLANS = 3; // that are kept for hints
const TO_BEGIN = "An arrow key or a button starts the run.";
const ACTS = { l: "Run left", r: "Run right", u: "Climb", d: "Go down", L: "Dig on the left", R: "Dig on the right", ".": "Wait" };

export async function play({ frame, side, level, finished, did, controls, help = true }) {
  const [kind, compiled] = await Promise.all([gameOf("loderunner"), compiledOf("loderunner")]);
  const start = boardOf(kind, level.text);
  check(start, compiled.constants);
  const game = new Game(compiled, start);
  let filmed = null; // the plan while nobody moves, as long as that is shown
  let taken = false; // whether a plan has brought the game where it is
  let timer = 0;
  let held = []; // directions, the newest first
  let dig = null; // asked for
  let tapped = null; // the last direction, even if its key was let go before its turn
  let due = 0; // when the next tick is
  let stuck = []; // gold that is why it cannot be won
  let shown = { cells: [], brick: null }; // of a hint: the runner's way, and what is dug
  const plans = []; // that were found from a state of this game: {from, keys}, the newest first
  let looking = null; // for a plan, to be stopped
  const board = new Board(frame, {
    marks(context, side) {
      if (!filmed) drawBricks(context, side, board, game);
      drawCross(context, side, stuck);
      if (shown.cells.length > 1) drawWay(context, side, shown.cells);
      if (shown.brick) drawCursor(context, side, shown.brick);
    },
  });
  const gold = stat("Gold", "");
  const time = stat("Time", "");
  const status = el("p", { class: "soft" }, TO_BEGIN);
  const hinted = el("p", { class: "soft", role: "status" });
  const proving = new AbortController();

  function show(milliseconds) {
    if (filmed) showStill(board, start, filmed, milliseconds);
    else showGame(board, game, milliseconds);
    gold.set(`${game.pieces - (filmed ?? game).left} / ${game.pieces}`);
    time.set(filmed ? `${filmed.ticks} moves` : `${(game.ticks / RATE).toFixed(1)} s`);
  }

  const tickLength = () => 1000 / (RATE * Number(speed.value));

  /** Goes on by a tick, with what is heard and said of it. */
  function advance(key, milliseconds) {
    const before = noted(game);
    forget();
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
    if (game.status === "dead") return end(isBuried() ? "The hole filled while you were in it." : "Caught!", true);
    if (game.status !== "playing") return end(game.exit ? "Out, with all the gold." : "All the gold is yours.", false);
    due = Math.max(due + tickLength(), performance.now());
    timer = setTimeout(tick, due - performance.now());
    return undefined;
  }

  const isBuried = () => game.nowAt(game.runner.row, game.runner.column) === game.numbers.BRICK;

  function end(message, lost) {
    pause();
    status.textContent = message;
    finished({ message, lost, again: restart, result: Math.round((10 * game.ticks) / RATE) / 10 });
    speak(message);
  }

  const isOver = () => game.status !== "playing" || filmed?.left === 0;

  /** What the first button does next. */
  function label() {
    const begun = taken ? "Take over" : "Go on";
    pauseButton.textContent = game.status === "dead" ? "Try again"
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
    game.restart();
    forget();
    filmed = null;
    taken = false;
    pause();
    finished(null);
    status.textContent = TO_BEGIN;
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
      if (game.status === "dead") end("The guards catch who follows this plan.", true);
      if (game.status === "playing") label();
    } else {
      filmed ??= new Still(compiled, start, level.solution.length);
      if (!filmed.step(step)) return false;
      show(Math.min(film.delay, STEP));
    }
    if (game.status !== "dead" && isOver()) end("The plan collects all the gold.", false);
    return !isOver();
  }

  const film = new Playback({
    solution: () => level.solution && (isTimed(level.solution) ? ticksOf(level.solution) : level.solution),
    rewind() {
      restart();
      did("film");
    },
    step: follow,
    unit: () => (level.solution && isTimed(level.solution) ? { word: "tick", rate: RATE, most: 10 * RATE } : undefined),
    note: () => (game.guards.length && level.solution && !isTimed(level.solution)
      ? "This plan was proved with guards that stand still, and they do in its film." : ""),
  });
  side.append(
    el("section", { class: "card" }, stats(gold, time), status,
      el("div", { class: "row" }, pauseButton, button("Restart", restart, { title: "Restart (r)" }), help ? button("Hint", hint, { title: "Hint (h)" }) : null),
      hinted,
      field("Speed", speed, `1 is ${RATE} ticks, or ${RATE / 5} cells, a second`), soundSwitch(el)),
    help ? film.element : "",
    el("section", { class: "card" }, el("h2", {}, "How to play"),
      el("p", { class: "soft" }, "Collect all the gold: run, climb, hang on ropes, and dig through brick on your left or right. Guards fall into holes; walk over their heads before they climb out. A hole fills again after eight seconds, whoever is in it."),
      game.exit ? el("p", { class: "soft" }, "With the last gold a ladder appears: climb to the top.") : null,
      keys({ "← → ↑ ↓": "run", z: "dig left", x: "dig right", p: "pause", r: "restart", ...(help ? { h: "hint" } : {}) })),
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
      else if (name === "h" && help) hint();
      else return false;
      return true;
    },
    up: (event) => release(directionOf(event)),
    blur: () => timer && pause(),
    stop() {
      pause();
      forget();
      proving.abort();
      film.stop();
    },
  });
  board.label = `Lode Runner, ${game.width} by ${game.height} cells, gold in ${plural(game.pieces, "place")}, enemies: ${game.guards.length}`;
  restart();
  await board.dress("loderunner");
  if (!level.solution && help) await prove();

  /** Looks for a plan, or why there is none. */
  async function prove() {
    const progress = (games) => { film.place.textContent = `Looking for a plan … ${compact(games)} games`; };
    const proof = await ask("loderunner", "win", { board: start, seconds: SECONDS }, { signal: proving.signal, progress })
      .catch((error) => ({ error: error.message }));
    if (proving.signal.aborted) return;
    level.solution = proof.solution;
    film.refresh();
    if (level.solution) return;
    film.place.textContent = whyNone(proof);
    if (proof.status === "unsolvable" && !isOver()) lose("This level has no solution", proof);
  }

  /** Says that it cannot be won, and why, and crosses out the gold that tells it. */
  function lose(told, proof) {
    const message = `${told}. ${capital(proof.why)}.`;
    stuck = proof.stuck;
    board.redraw();
    finished({ message, lost: true, again: game.ticks ? restart : undefined });
    speak(message);
  }

  /** The keys that a plan goes on with from here, one a tick, if one is known. */
  function planned() {
    const timed = level.solution && isTimed(level.solution);
    const known = [...plans, ...(timed ? [{ from: game.first, keys: ticksOf(level.solution) }] : [])];
    for (const { from, keys } of known) {
      const made = game.ticks - game.ticksOf(from);
      if (made >= 0 && made < keys.length && game.isAt(game.tried(keys.slice(0, made), from).state)) return keys.slice(made);
    }
    return null;
  }

  /** Shows the next key of a plan that wins from here. */
  async function hint() {
    film.stop();
    if (filmed) restart();
    if (isOver()) return;
    if (timer) pause();
    did("hints");
    forget();
    const from = game.state;
    let going = planned();
    if (!going) {
      looking = new AbortController();
      const { signal } = looking;
      hinted.textContent = "Looking for a plan …";
      const progress = (games) => { if (!signal.aborted) hinted.textContent = `Looking for a plan … ${compact(games)} games`; };
      const proof = await ask("loderunner", "win", { board: start, state: game.ticks ? from : null, seconds: SECONDS }, { signal, progress })
        .catch((error) => ({ error: error.message }));
      if (signal.aborted) return;
      if (!proof.solution) {
        hinted.textContent = proof.error ?? (proof.status === "unknown" ? "No plan from here is known: none was found in time." : "");
        if (proof.status === "unsolvable") lose(game.ticks ? "From here it cannot be won any more" : "This level has no solution", proof);
        return;
      }
      going = ticksOf(proof.solution);
      plans.unshift({ from, keys: going });
      plans.splice(PLANS);
    }
    tell(going);
  }

  function tell(going) {
    const key = going[0] ?? game.key;
    const next = going.findIndex((one, i) => i > 0 && one !== null);
    const stays = next < 0 ? going.length : next;
    const { row, column } = game.runner;
    shown = {
      cells: game.tried(going.slice(0, stays), game.state).cells,
      brick: isDig(key) ? [row + 1, column + (key === "L" ? -1 : 1)] : null,
    };
    board.redraw();
    const seconds = (ticks) => `${(ticks / RATE).toFixed(1)} s`;
    hinted.textContent = `${ACTS[key]}: ${plural(stays, "tick")}, ${seconds(stays)}. The plan wins in ${seconds(going.length)}.`;
    speak(hinted.textContent);
  }

  /** Takes away what was shown of one state alone. */
  function forget() {
    looking?.abort();
    shown = { cells: [], brick: null };
    hinted.textContent = "";
  }
}

// A level of a PuzzleScript game to play: arrows, action, undo, restart, messages, and turns that go by themselves;
// hints, and what is lost.
import { ask, compiledOf } from "../../background.js";
import { button, capital, compact, el, keys, number, plural, speak, stat, stats, toast } from "../../ui.js";
import { Outlook } from "../../play/outlook.js";
import { Playback } from "../../play/playback.js";
import { ARROWS, directionOf, gestures, keyOf, pad } from "../../play/steer.js";
import { programOf } from "./game.js";
import { NAMES, reason, unitOf } from "./prove.js";
import { Session } from "./session.js";

const ON = 900; // milliseconds from a win to the next level
const SECONDS = 10; // for a proof
const MOST_KEPT = 4000; // keys of a game that somebody goes on with

export async function play({ frame, side, level, finished, did, next, controls, help = true, kept = "", keep = () => {} }) {
  const { script: game, board, before, after } = level;
  const compiled = await compiledOf("puzzlescript");
  const { KEYS } = compiled.constants.solve; // by the letters of solutions
  const ACTION = KEYS.x;
  const letterOf = new Map([...Object.entries(KEYS).map(([letter, key]) => [key, letter]), ["undo", "z"], ["restart", "R"]]);
  const keyOfLetter = new Map([...letterOf].map(([key, letter]) => [letter, key]));
  const program = { ...programOf(game.program), levels: [board] };
  const steps = (number) => plural(number, unitOf(program));
  const { no_undo, no_restart, no_action, unsolvable } = program;
  const helps = help && !unsolvable;
  const canvas = el("canvas", { role: "img", class: "pixels", "aria-label": `${level.title}, ${board.width} by ${board.height} cells` });
  const said = el("div", { class: "said", role: "status", hidden: true });
  const moves = stat("Moves", "0");
  const best = el("p", { class: "soft" }, help && unsolvable ? `The game ${unsolvable}: its levels cannot be solved.` : "\u00a0");
  const hinted = el("p", { class: "soft", role: "status" });
  let session;
  let start; // the position that it begins with
  let told = kept ? [] : [...before]; // messages that wait to be read
  let pressed = ""; // all keys since the begin, by their letters; null where they are not known
  let going = 0;
  let watching = false; // a solution is played
  let waiting = false; // a game in real time waits for the next key, as a hint is shown
  let begun = false; // once the start is looked at
  let safe = null; // of a game that is lost the last position that was not, as far as it is known; or none, if "start"
  let stuck = []; // cells of things that are why
  const clock = game.seconds && setInterval(() => !told.length && !session.won && !watching && !waiting && take("tick"), 1000 * game.seconds);

  function show() {
    level.pixels.draw(canvas, session.position.board, board, stuck);
    moves.set(number(session.undos.length));
    said.hidden = !told.length;
    said.replaceChildren(...(told.length ? [el("p", {}, told[0]), button("Go on", read, { class: "primary" })] : []));
    if (told.length) speak(told[0]);
    else if (session.won) end();
  }

  function read() {
    told.shift();
    show();
  }

  function end() {
    const message = `Solved in ${plural(session.undos.length, "move")}.`;
    outlook.stop();
    finished({ message, lost: false, again: begin, result: session.undos.length });
    speak(message);
    if (next && !watching) going = setTimeout(next, ON);
  }

  /** Gives the game a key and shows nothing. */
  function press(key) {
    if (pressed !== null) pressed += letterOf.get(key);
    try {
      session.press(key);
    } catch (error) {
      toast(error.message);
    }
  }

  function take(key) {
    if (session.won) return;
    const stood = session.position;
    press(key);
    keep(session.won || clock ? "" : (pressed ?? "").slice(0, MOST_KEPT));
    if (session.message) told.push(session.message);
    if (session.won) told.push(...after);
    show();
    if (session.position === stood) return;
    if (key !== "tick" || !(safe || outlook.isLooking)) look();
    else if (safe) cross([]); // things have moved on
  }

  /** Finds out whether what came of a key can still be won. */
  function look() {
    hinted.textContent = "";
    if (session.won || !helps) return;
    if (isLost()) cross([]); // until it is known of this position
    else forgive();
    if (begun && !watching) outlook.look();
  }

  const isLost = () => safe === "start" || session.trail.slice(0, -1).includes(safe);

  /** Takes the message away that it is lost. */
  function forgive() {
    if (safe) finished(null);
    safe = null;
    cross([]);
  }

  function cross(cells) {
    stuck = cells;
    level.pixels.draw(canvas, session.position.board, board, stuck);
  }

  function act(key) {
    watching = waiting = false;
    if (told.length) return key === ACTION && read();
    if (key === ACTION && no_action) return undefined;
    did("moves");
    return take(key);
  }

  function undo() {
    if (told.length) return;
    waiting = false;
    did("undos");
    take("undo");
  }

  function restart() {
    if (told.length) return;
    waiting = false;
    did("restarts");
    if (session.won) begin();
    else take("restart");
  }

  function begin() {
    clearTimeout(going);
    finished(null);
    [safe, stuck] = [null, []];
    session = new Session(compiled, program);
    start = session.position;
    pressed = "";
    for (const letter of kept) if (!session.won) press(keyOfLetter.get(letter));
    kept = "";
    show();
    look();
  }

  /** What is proved about a position. */
  const prove = (position, options) => ask("puzzlescript", "prove", { program, ...board, position, seconds: SECONDS }, options);

  const outlook = new Outlook({
    prove,
    positions: () => session.trail,
    told(found) {
      if (!found) {
        forgive();
        return;
      }
      const { trail } = session;
      safe = trail[found.first - 1] ?? "start";
      cross(found.proof.stuck);
      const why = found.proof.why ? ` ${capital(found.proof.why)}.` : "";
      if (!found.first && String(trail[0].board) === String(start.board)) {
        finished({ message: `This level has no solution.${why}`, lost: true });
        return;
      }
      const message = `From here it cannot be won any more.${why}`;
      if (!found.first) { // a checkpoint, and so is every restart
        finished({ message, lost: true });
        return;
      }
      finished({ message, lost: true, label: "Back to where it could", again: () => back(safe) });
      did("told_lost");
      speak(message);
    },
  });

  /** Takes back all from the key on that has lost it. */
  function back(position) {
    waiting = false;
    did("undos");
    session.goBack(position);
    pressed = null;
    keep("");
    forgive();
    show();
    outlook.look();
  }

  /** Shows the next key of a shortest solution; time stands still until it is pressed. */
  async function hint() {
    did("hints");
    waiting = true;
    const { position } = session;
    hinted.textContent = "Looking for the next key …";
    const progress = (states) => { hinted.textContent = `Looking for the next key … ${compact(states)} positions`; };
    const proof = await outlook.proof(position, { progress }).catch((error) => ({ error: error.message }));
    if (position !== session.position) return;
    hinted.textContent = proof.error ?? (proof.solution ? `${capital(NAMES[proof.solution[0]])}: ${steps(proof.solution.length)} to go.` : reason(proof));
    if (proof.status === "unsolvable") outlook.look();
    speak(hinted.textContent);
  }

  const buttons = [
    !no_undo && button("Undo", undo, { title: "Undo (z)" }),
    !no_restart && button("Restart", restart, { title: "Restart (r)" }),
    helps && button("Hint", hint, { title: "Hint (h)" }),
  ];
  const meanings = { ...(no_action ? {} : { x: "act" }), ...(no_undo ? {} : { z: "undo" }), ...(no_restart ? {} : { r: "restart" }), ...(helps ? { h: "hint" } : {}), n: "next", p: "previous" };
  frame.classList.add("puzzle");
  frame.append(canvas);
  frame.after(said);
  side.append(el("section", { class: "card" }, stats(moves), best, el("div", { class: "row" }, ...buttons.filter(Boolean)), hinted, keys(meanings)));
  const film = new Playback({
    solution: () => level.solution,
    unit: () => ({ word: unitOf(program), rate: game.seconds ? Math.ceil(1 / game.seconds) : 8, most: 40 }),
    rewind() {
      waiting = false;
      told = [];
      watching = true;
      begin();
      did("film");
    },
    step(letter) {
      take(KEYS[letter]);
      told = told.slice(0, Number(session.won));
      return !session.won;
    },
  });
  if (help) side.append(film.element);
  film.element.hidden = !level.solution;
  frame.after(pad([
    ["↶", "Undo", undo], [...ARROWS.u, () => act(KEYS.u)], ["↺", "Restart", restart],
    ...["l", "d", "r"].map((letter) => [...ARROWS[letter], () => act(KEYS[letter])]),
    ["✕", "Act, or go on", () => act(ACTION)],
  ]));
  controls({
    key(event) {
      const letter = directionOf(event);
      const name = keyOf(event);
      if (letter) act(KEYS[letter]);
      else if (name === "x" || name === " " || (name === "Enter" && told.length)) act(ACTION);
      else if (name === "z" || name === "Backspace") undo();
      else if (name === "r") restart();
      else if (name === "h" && helps) hint();
      else return false;
      return true;
    },
    stop() {
      film.stop();
      outlook.stop();
      clearInterval(clock);
      clearTimeout(going);
    },
  });
  gestures(canvas, { click: ({ pointerType }) => pointerType !== "mouse" && act(ACTION), swipe: (letter) => act(KEYS[letter]) });
  begin();
  if (helps) tell();

  /** What the fewest keys are, as far as it is known. */
  async function tell() {
    const progress = (states) => { best.textContent = `Solving … ${compact(states)} positions`; };
    const proof = await outlook.proof(start, { progress }).catch((error) => ({ error: error.message }));
    best.textContent = proof.error ?? (proof.solution ? `${proof.optimal ? "Fewest" : "Best known"}: ${steps(proof.solution.length)}` : reason(proof));
    if (proof.solution) level.solution ||= proof.solution;
    film.element.hidden = !level.solution;
    film.refresh();
    begun = true;
    look();
  }
}

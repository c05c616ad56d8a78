// A level of a PuzzleScript game to play: arrows, action, undo, restart, messages, and turns that go by themselves.
import { Session } from "./rules/session.js";
import { button, el, keys, number, plural, speak, stat, stats, toast } from "../../ui.js";
import { Playback } from "../../play/playback.js";
import { ARROWS, directionOf, keyOf, pad } from "../../play/steer.js";

const KEYS = { u: 0, l: 1, d: 2, r: 3 };
const ACTION = 4;
const ON = 900; // milliseconds from a win to the next level

export async function play({ frame, side, level, finished, did, next, controls }) {
  const { script: game, board, before, after } = level;
  const program = { ...game.program, levels: [board] };
  const { no_undo, no_restart, no_action } = program.tables;
  const canvas = el("canvas", { role: "img", class: "pixels", "aria-label": `${level.title}, ${board.width} by ${board.height} cells` });
  const said = el("div", { class: "said", role: "status", hidden: true });
  const moves = stat("Moves", "0");
  let session;
  let told = [...before]; // messages that wait to be read
  let going = 0;
  let watching = false; // a solution is played
  const clock = game.seconds && setInterval(() => !told.length && !session.won && take("tick"), 1000 * game.seconds);

  function show() {
    level.pixels.draw(canvas, session.engine.objects, board);
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
    finished({ message, lost: false, again: begin });
    speak(message);
    if (next && !watching) going = setTimeout(next, ON);
  }

  function take(key) {
    if (session.won) return;
    try {
      session.press(key);
    } catch (error) {
      toast(error.message);
    }
    if (session.message) told.push(session.message);
    if (session.won) told.push(...after);
    show();
  }

  function act(key) {
    watching = false;
    if (told.length) return key === ACTION && read();
    if (key === ACTION && no_action) return undefined;
    did("moves");
    return take(key);
  }

  function undo() {
    if (told.length) return;
    did("undos");
    take("undo");
  }

  function restart() {
    if (told.length) return;
    did("restarts");
    if (session.won) begin();
    else take("restart");
  }

  function begin() {
    clearTimeout(going);
    finished(null);
    session = new Session(program);
    show();
  }

  const buttons = [!no_undo && button("Undo", undo, { title: "Undo (z)" }), !no_restart && button("Restart", restart, { title: "Restart (r)" })];
  const help = { ...(no_action ? {} : { x: "act" }), ...(no_undo ? {} : { z: "undo" }), ...(no_restart ? {} : { r: "restart" }), n: "next", p: "previous" };
  frame.classList.add("puzzle");
  frame.append(canvas);
  frame.after(said);
  side.append(el("section", { class: "card" }, stats(moves), el("div", { class: "row" }, ...buttons.filter(Boolean)), keys(help)));
  const film = new Playback({
    solution: () => level.solution,
    rewind() {
      did("film");
      told = [];
      begin();
      watching = true;
    },
    step(letter) {
      take(letter === "x" ? ACTION : KEYS[letter]);
      told = told.slice(0, Number(session.won));
      return !session.won;
    },
  });
  if (level.solution) side.append(film.element);
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
      else return false;
      return true;
    },
    stop() {
      film.stop();
      clearInterval(clock);
      clearTimeout(going);
    },
  });
  begin();
}

// A PuzzleScript game played level after level: keys, undo, restart, ticks, again; as games/puzzlescript/session.py.
import { Puzzle } from "./game.js";

/** @typedef {import("./game.js").Position} Position */

/** Plays a program from one of its levels on; `won` counts the wins.
 * Messages never stop it. A win loads the next level at once; where that is a message, or there is none, play goes
 * on where it was, and nothing can be won any more. */
export class Session {
  won = 0;
  endless = false; // again-turns were cut off
  #compiled;
  #codes;
  #position = null; // as it stands, once it was looked at

  /** `random` are the numbers that chance begins with; of levels that a win leads to, those of the program. */
  constructor(compiled, program, level = 0, random = program.random) {
    [this.#compiled, this.#codes, this.program] = [compiled, compiled.constants.codes, program];
    this.#load(level, random);
    this.#settle();
  }

  /** Takes 0 up, 1 left, 2 down, 3 right, 4 action, "tick", "undo" or "restart", and plays the again-turns after it.
   * Where the rules come to no end, all is as before. */
  press(key) {
    const before = this.engine.board();
    this.engine.told = 0;
    try {
      this.#take(key);
    } catch (error) {
      this.pending = false;
      this.engine.put(before);
      this.#position = null;
      throw error;
    }
  }

  /** Where it stands, the same object until something changes. @returns {Position} */
  get position() {
    this.#position ??= this.engine.position;
    return this.#position;
  }

  /** The positions since the start, or since the last restart, as far as undo goes back, and the one at hand. */
  get trail() {
    const first = this.undos.findLastIndex(({ restarted }) => restarted) + 1;
    return [...this.undos.slice(first).filter(({ between }) => !between).map(({ position }) => position), this.position];
  }

  /** Goes back to one of the trail. @param {Position} position */
  goBack(position) {
    const place = this.undos.findLastIndex((entry) => entry.position === position);
    this.undos.length = place;
    this.engine.position = position;
    this.engine.told = 0;
    this.#position = position;
    this.pending = false;
  }

  /** The message that the last input brought; "" for none. */
  get message() {
    const { told, rules } = this.engine;
    return told ? this.program.messages[rules.rules.line.at(told - 1)] ?? "" : "";
  }

  #take(key) {
    if (key === "undo") {
      if (!this.program.no_undo) this.#undo();
    } else if (key === "restart") {
      if (!this.program.no_restart) {
        this.undos.push({ position: this.position, restarted: true });
        this.#after(this.engine.restart(), null, true);
      }
    } else this.#turn(key === "tick" ? null : key);
    this.#settle();
  }

  #load(level, random) {
    const { ENDS, GOES_ON, START } = this.#codes;
    const { board, height, width } = this.program.levels[level];
    const following = this.program.levels[level + 1];
    this.level = level;
    this.undos = []; // {position, restarted, between}: before a restart; before a turn without a key
    this.pending = false;
    this.engine = new Puzzle(this.#compiled, this.program.rules, height, width);
    this.engine.onWin = following?.board ? ENDS : GOES_ON;
    this.engine.load(board, random);
    this.#position = null;
    if (this.engine.rules.start_turn) this.#after(this.engine.turn(null, START), null, true);
  }

  #settle() {
    for (let turns = 0; turns < this.#codes.MOST_AGAIN; turns++) {
      if (!this.pending) return;
      this.#turn(null);
    }
    this.endless = true;
    this.pending = false;
  }

  #turn(key) {
    this.pending = false;
    const before = this.position;
    this.#after(this.engine.turn(key), before, key === null);
  }

  #after(outcome, before, between) {
    const { PENDING, PUSHED, WON, ENDS } = this.#codes;
    this.#position = null;
    this.pending = (outcome & PENDING) !== 0;
    if (outcome & PUSHED && before) this.undos.push({ position: before, between });
    if (!(outcome & WON)) return;
    this.won += 1;
    if (this.engine.onWin === ENDS) this.#load(this.level + 1, this.program.unseeded);
  }

  #undo() {
    this.pending = false;
    const now = this.engine.board();
    const same = ({ position: { board } }) => board.every((word, i) => word === now[i]);
    while (this.undos.length && same(this.undos.at(-1))) this.undos.pop();
    if (!this.undos.length) return;
    const { position } = this.undos.pop();
    this.engine.put(position.board);
    const stands = this.engine.position;
    this.#position = stands.target.every((word, i) => word === position.target[i]) ? position : stands;
  }
}

// A PuzzleScript game played level after level: keys, undo, restart, ticks, again; as games/puzzlescript/session.py.
import { ENDS, GOES_ON, PENDING, PUSHED, Puzzle, START, WON } from "./engine.js";

/** Plays a program from one of its levels on; `won` counts the wins.
 * Messages never stop it. A win loads the next level at once; where that is a message, or there is none, play goes
 * on where it was, and nothing can be won any more. */
export class Session {
  won = 0;
  endless = false; // again-turns were cut off

  constructor(program, level = 0, seed = "1") {
    this.program = program;
    this.#load(level, seed);
    this.#settle();
  }

  /** Takes 0 up, 1 left, 2 down, 3 right, 4 action, "tick", "undo" or "restart", and plays the again-turns after it.
   * Where the rules come to no end, all is as before. */
  press(key) {
    const before = this.engine.board();
    this.engine.told = this.engine.work = 0;
    try {
      this.#take(key);
    } catch (error) {
      this.pending = false;
      this.engine.put(before);
      throw error;
    }
  }

  #take(key) {
    const { tables } = this.program;
    if (key === "undo") {
      if (!tables.no_undo) this.#undo();
    } else if (key === "restart") {
      if (!tables.no_restart) {
        this.undos.push(this.engine.board());
        this.#after(this.engine.restart(), null);
      }
    } else this.#turn(key === "tick" ? null : key);
    this.#settle();
  }

  /** The message that the last input brought; "" for none. */
  get message() {
    const { told } = this.engine;
    return told ? this.program.messages[this.program.tables.rules.line[told - 1]] ?? "" : "";
  }

  #load(level, seed) {
    const { board, height, width } = this.program.levels[level];
    const following = this.program.levels[level + 1];
    this.level = level;
    this.undos = [];
    this.pending = false;
    this.engine = new Puzzle(this.program.tables, height, width);
    this.engine.onWin = following?.board ? ENDS : GOES_ON;
    this.engine.load(board, seed);
    if (this.program.tables.start_turn) this.#after(this.engine.turn(null, START), null);
  }

  #settle() {
    for (let turns = 0; turns < this.program.tables.limits.again; turns++) {
      if (!this.pending) return;
      this.#turn(null);
    }
    this.endless = true;
    this.pending = false;
  }

  #turn(key) {
    this.pending = false;
    const before = this.engine.board();
    this.#after(this.engine.turn(key), before);
  }

  #after(outcome, before) {
    this.pending = (outcome & PENDING) !== 0;
    if (outcome & PUSHED && before) this.undos.push(before);
    if (!(outcome & WON)) return;
    this.won += 1;
    if (this.engine.onWin === ENDS) this.#load(this.level + 1, "");
  }

  #undo() {
    this.pending = false;
    const now = this.engine.board();
    while (this.undos.length && same(this.undos.at(-1), now)) this.undos.pop();
    if (this.undos.length) this.engine.put(this.undos.pop());
  }
}

const same = (one, other) => one.every((word, i) => word === other[i]);

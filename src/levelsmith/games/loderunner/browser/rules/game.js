// The game of Lode Runner with guards that chase, tick by tick, as games/loderunner/rules/game.py has it.
import {
  BRICK, CLIMB, DEAD, EMPTY, FREE, GOLD, GUARD, Guard, HIDDEN, HOLE, LADDER, Man, NUMBERS, PLAYING, REBORN, ROPE, RUNNER,
  SOLID, SYMBOLS, TRAP, WON, isFloor, isHard,
} from "./men.js";
import { choice } from "./ways.js";

const NEIGHBOURS = [[-1, 0], [1, 0], [0, -1], [0, 1]];
export const isDig = (key) => key === "L" || key === "R";

/** The game on a level in text, won at the top where it has hidden ladders; throws where it cannot be played. */
export function begin(text) {
  const rows = text.replace(/^\n+|\n+$/g, "").split("\n");
  if (rows.some((row) => row.length !== rows[0].length)) throw new Error("expected rows of equal length");
  const strange = [...rows.join("")].find((symbol) => !SYMBOLS.has(symbol));
  if (strange !== undefined) throw new Error(`expected tiles ${[...SYMBOLS.keys()].join(" ")}, got ${strange}`);
  const players = text.split("M").length - 1;
  if (players !== 1) throw new Error(`expected one player (M), got ${players}`);
  if (!text.includes("G")) throw new Error("expected at least one piece of gold (G), got none");
  return new Game(rows, text.includes("h"));
}

/** A game; `tick` goes on with it. There are two boards: `tile` is the level, in which a dug brick is still brick,
 * and `now` is what is in a cell at this moment, a man's mark above all. */
export class Game {
  falling = false;
  key = ".";
  dig = null; // [row, column, frame] of the brick
  holes = new Map(); // by row * width + column, the ticks until each fills
  ticks = 0;
  alive = true;
  guards = [];
  #phase = 0;
  #turn = 0;

  /** With `exit` the runner must reach the top row once all gold is taken; without, the last gold wins. */
  constructor(rows, exit = false) {
    const board = rows.map((row) => [...row].map((symbol) => SYMBOLS.get(symbol)));
    [this.height, this.width, this.exit] = [board.length, board[0].length, exit];
    this.runner = null; // the first of several
    board.forEach((tiles, y) => tiles.forEach((tile, x) => {
      if (tile === RUNNER) this.runner ??= new Man(y, x);
      if (tile === GUARD) this.guards.push(new Guard(y, x));
    }));
    this.tile = board.map((tiles) => tiles.map((tile) => (tile === RUNNER || tile === GUARD ? EMPTY : tile)));
    this.now = this.tile.map((tiles, y) => tiles.map((_, x) => this.#withoutMen(y, x)));
    this.left = this.tile.flat().filter((tile) => tile === GOLD).length;
    this.pieces = this.left;
    this.#mark(this.runner, RUNNER);
    for (const guard of this.guards) this.#mark(guard, GUARD);
    if (this.left === 0) this.#showLadders();
  }

  /** Goes on by a tick, with another key (l r u d, L R to dig, . for none) if one is given; returns the status. */
  tick(key = null) {
    this.ticks += 1;
    this.key = key ?? this.key;
    if (!this.#digsOn()) this.#moveRunner();
    if (this.alive) this.#moveGuards();
    this.#ageTrapped();
    this.#ageHoles();
    this.#ageBirths();
    return this.status;
  }

  get status() {
    if (!this.alive) return DEAD;
    const out = !this.exit || (this.runner.row === 0 && this.runner.dy === 0);
    return this.left === 0 && out ? WON : PLAYING;
  }

  /** Whether a way (l r u d) leads anywhere for a runner who stands. */
  leads(key) {
    const way = this.#wayOf(key);
    return way !== null && !(way.blocked && along(this.runner, way) >= 0);
  }

  isHole(row, column) {
    return this.holes.has(row * this.width + column);
  }

  nowAt(row, column) {
    return this.isInside(row, column) ? this.now[row][column] : SOLID;
  }

  tileAt(row, column) {
    return this.isInside(row, column) ? this.tile[row][column] : SOLID;
  }

  isInside(row, column) {
    return row >= 0 && row < this.height && column >= 0 && column < this.width;
  }

  // ------------------------------------------------------------------------------------------ the two boards

  /** What is in a cell once nobody is. */
  #withoutMen(row, column) {
    const tile = this.tile[row][column];
    return tile === GOLD || tile === HIDDEN ? EMPTY : tile;
  }

  #mark(man, mark) {
    this.now[man.row][man.column] = mark;
  }

  /** Puts back what is in a cell that somebody leaves; brick there is a hole. */
  #leave(row, column) {
    const left = this.#withoutMen(row, column);
    this.now[row][column] = left === BRICK ? EMPTY : left;
  }

  #guardAt(row, column) {
    return this.guards.find((guard) => guard.isAt(row, column));
  }

  // --------------------------------------------------------------------------- what runner and guards share

  /** Makes a pace, to the middle of the cell at most if it is blocked; returns whether he moved. */
  #pace(man, { down, right, blocked }) {
    let to = along(man, { down, right });
    if (blocked && to >= 0) return false;
    to += down ? NUMBERS.climb : NUMBERS.walk;
    if (blocked) to = Math.min(to, 0);
    if (down) {
      man.dy = to * down || 0; // no -0
      man.dx = nearer(man.dx, NUMBERS.walk);
    } else {
      man.dx = to * right || 0;
      man.dy = nearer(man.dy, NUMBERS.climb);
    }
    if (to > (down ? NUMBERS.height : NUMBERS.width) / 2) {
      [man.row, man.dy] = [man.row + down, man.dy - down * NUMBERS.height];
      [man.column, man.dx] = [man.column + right, man.dx - right * NUMBERS.width];
    }
    return true;
  }

  #falls(man) {
    const tile = this.tile[man.row][man.column];
    if (tile === LADDER || (tile === ROPE && man.dy === 0)) return false;
    return man.dy < 0 || ![BRICK, SOLID, LADDER, GUARD].includes(this.nowAt(man.row + 1, man.column));
  }

  /** Makes a pace down; returns whether he caught a rope. */
  #fall(man) {
    const { row, column, dy } = man;
    const below = this.nowAt(row + 1, column);
    this.#pace(man, { down: 1, right: 0, blocked: isHard(below) || below === GUARD });
    if (dy >= 0 || man.dy < 0 || !man.isAt(row, column) || this.tile[row][column] !== ROPE) return false;
    man.dy = 0;
    return true;
  }

  #touchesGold({ row, column, dy, dx }) {
    if (this.tile[row][column] !== GOLD) return false;
    const overLadder = this.tileAt(row + 1, column) === LADDER;
    return (dx === 0 && dy >= 0 && dy < NUMBERS.touchY)
      || (dy === 0 && dx >= 0 && dx < NUMBERS.touchX)
      || (overLadder && dy < NUMBERS.touchY);
  }

  /** Counts a piece as collected; after the last one hidden ladders appear. */
  #countGoldOut() {
    this.left -= 1;
    if (this.left === 0) this.#showLadders();
  }

  #showLadders() {
    this.tile.forEach((tiles, y) => tiles.forEach((tile, x) => {
      if (tile === HIDDEN) tiles[x] = this.now[y][x] = LADDER;
    }));
  }

  // ----------------------------------------------------------------------------------------------- the runner

  #moveRunner() {
    const { runner } = this;
    const { row, column } = runner;
    let fell = true;
    if (this.#falls(runner)) {
      this.falling = !this.#fall(runner);
    } else {
      fell = this.falling = this.#obey();
    }
    if (fell && this.nowAt(runner.row + 1, runner.column) === GUARD) {
      runner.dy = Math.min(runner.dy, this.#guardAt(runner.row + 1, runner.column).dy);
    }
    if (!runner.isAt(row, column)) {
      this.#leave(row, column);
      const met = this.now[runner.row][runner.column] === GUARD && this.#guardAt(runner.row, runner.column);
      if (met && met.mode !== REBORN) this.alive = false;
    }
    this.#mark(runner, RUNNER);
    if (this.#touchesGold(runner)) {
      this.tile[runner.row][runner.column] = EMPTY;
      this.#countGoldOut();
    }
    if (this.#isCaught()) this.alive = false;
  }

  /** Where a key leads the runner, {down, right, blocked}, or null where it does nothing. */
  #wayOf(key) {
    const { row, column, dy } = this.runner;
    if (key === "l" || key === "r") {
      const side = key === "l" ? -1 : 1;
      const beside = this.nowAt(row, column + side);
      return { down: 0, right: side, blocked: isHard(beside) || beside === TRAP };
    }
    if (key === "u") {
      const onLadder = this.tile[row][column] === LADDER;
      const comingOff = dy > 0 && this.tileAt(row + 1, column) === LADDER;
      const stops = !onLadder && dy > 0 && dy < NUMBERS.touchY;
      const above = this.nowAt(row - 1, column);
      return onLadder || comingOff ? { down: -1, right: 0, blocked: stops || isHard(above) || above === TRAP } : null;
    }
    return key === "d" ? { down: 1, right: 0, blocked: isHard(this.nowAt(row + 1, column)) } : null;
  }

  /** Does what the key says; returns whether he lets himself fall from a rope. */
  #obey() {
    const { runner, key } = this;
    if (isDig(key)) {
      this.key = ".";
      this.#beginDig(key === "L" ? -1 : 1);
      return false;
    }
    const way = this.#wayOf(key);
    const { row, column, dy } = runner;
    const below = this.nowAt(row + 1, column);
    const onRope = this.tile[row][column] === ROPE && dy >= 0 && below !== LADDER && below !== GUARD;
    return way !== null && this.#pace(runner, way) && key === "d" && onRope;
  }

  /** Looks at the first neighbouring cell with a guard, and at no other. */
  #isCaught() {
    const { row, column, dy, dx } = this.runner;
    for (const [down, right] of NEIGHBOURS) {
      if (this.nowAt(row + down, column + right) !== GUARD) continue;
      const guard = this.#guardAt(row + down, column + right);
      const vertical = Math.abs(down * NUMBERS.height + guard.dy - dy);
      const horizontal = Math.abs(right * NUMBERS.width + guard.dx - dx);
      return vertical <= NUMBERS.catchY && horizontal <= NUMBERS.catchX && guard.mode !== REBORN;
    }
    return false;
  }

  // -------------------------------------------------------------------------------------------------- digging

  #beginDig(side) {
    const { runner } = this;
    const [row, column] = [runner.row, runner.column + side];
    if (!this.isInside(row + 1, column)) return;
    const isOpen = this.now[row][column] === EMPTY && this.tile[row][column] !== GOLD;
    if (!isOpen || this.now[row + 1][column] !== BRICK) return;
    runner.dy = runner.dx = 0;
    this.dig = [row + 1, column, 0];
  }

  /** Goes on with a dig; returns whether there is one that a guard does not stop. */
  #digsOn() {
    if (this.dig === null) return false;
    const [row, column, frame] = this.dig;
    if (this.now[row - 1][column] === GUARD) {
      if (frame < NUMBERS.cancelled && this.#guardAt(row - 1, column).dy > -NUMBERS.touchY) {
        this.now[row][column] = BRICK;
        this.dig = null;
        return false;
      }
      this.now[row][column] = EMPTY;
    }
    this.dig = [row, column, frame + 1];
    if (frame + 1 === NUMBERS.dig) {
      this.dig = null;
      if (this.now[row][column] === BRICK) this.now[row][column] = EMPTY;
      this.holes.set(row * this.width + column, NUMBERS.open + 1); // it ages in this tick
    }
    return true;
  }

  #ageHoles() {
    for (const [at, left] of this.holes) {
      this.holes.set(at, left - 1);
      if (left > 1) continue;
      this.holes.delete(at);
      this.#fill(Math.floor(at / this.width), at % this.width);
    }
  }

  #fill(row, column) {
    this.now[row][column] = BRICK;
    if (this.runner.isAt(row, column)) this.alive = false;
    for (const guard of this.guards) if (guard.isAt(row, column)) this.#bearAgain(guard);
  }

  // --------------------------------------------------------------------------------------------------- guards

  /** Moves the guards whose turn it is: more often all of them in turn, the fewer they are. */
  #moveGuards() {
    const { length } = this.guards;
    if (length === 0) return;
    this.#phase += 1;
    for (let move = movesInTurn(length, this.#phase); move > 0; move--) {
      this.#turn = (this.#turn + 1) % length;
      const guard = this.guards[this.#turn];
      if (guard.mode === FREE || guard.mode === CLIMB) this.#moveGuard(guard);
    }
  }

  #moveGuard(guard) {
    const { row, column } = guard;
    let passed;
    if (guard.mode === CLIMB && row === guard.hole[0]) {
      passed = this.#walk(guard, -1, 0);
    } else if (guard.mode === FREE && this.#falls(guard)) {
      passed = this.#guardFalls(guard);
    } else {
      const way = choice(this, guard);
      if (guard.mode === CLIMB && (column !== guard.hole[1] || way === null)) guard.mode = FREE;
      passed = way !== null && this.#walk(guard, ...way);
    }
    if (!guard.isAt(row, column)) {
      this.#leave(row, column);
      if (this.now[guard.row][guard.column] === RUNNER) this.alive = false;
    }
    this.#mark(guard, GUARD);
    if (passed) this.#carry(guard);
    if (guard.count === 0 && this.#touchesGold(guard)) {
      this.tile[guard.row][guard.column] = EMPTY;
      guard.count = NUMBERS.carried + this.ticks % NUMBERS.carriedMore;
    }
  }

  /** Makes a pace unless something is in the way; returns whether it passed or reached a middle. */
  #walk(guard, down, right) {
    const [row, column] = [guard.row + down, guard.column + right];
    const there = this.nowAt(row, column);
    const isTrap = (down === -1 && there === TRAP) || (right !== 0 && this.tileAt(row, column) === TRAP);
    if (!this.#pace(guard, { down, right, blocked: isHard(there) || there === GUARD || isTrap })) return false;
    if (right) return guard.dx === 0;
    return down < 0 ? guard.dy > -NUMBERS.climb && guard.dy <= 0 : guard.dy >= 0 && guard.dy < NUMBERS.climb;
  }

  /** Makes a pace down, into a hole too; returns whether it passed or reached a middle. */
  #guardFalls(guard) {
    if (guard.dy < 0 && this.tile[guard.row][guard.column] === BRICK) {
      if (guard.count > 0) this.#loseGold(guard);
      this.#pace(guard, { down: 1, right: 0, blocked: true });
      if (guard.dy === 0) {
        [guard.mode, guard.hole] = [HOLE, [guard.row, guard.column]];
        [guard.wait, guard.count] = [NUMBERS.trapped + 1, 0]; // it goes down in this tick
      }
      return false;
    }
    return !this.#fall(guard) && guard.dy >= 0 && guard.dy < NUMBERS.climb;
  }

  /** Lays his gold above the hole; where that cannot be, it is lost and counts as collected. */
  #loseGold(guard) {
    guard.count = 0;
    if (this.tileAt(guard.row - 1, guard.column) === EMPTY) this.tile[guard.row - 1][guard.column] = GOLD;
    else this.#countGoldOut();
  }

  /** Counts a middle of a cell that he passed with gold, and lays it down after the last. */
  #carry(guard) {
    if (guard.count === 1) {
      if (this.tile[guard.row][guard.column] !== EMPTY || !isFloor(this.tileAt(guard.row + 1, guard.column))) return;
      this.tile[guard.row][guard.column] = GOLD;
      guard.count = -1;
    } else if (guard.count) {
      guard.count -= Math.sign(guard.count);
    }
  }

  #ageTrapped() {
    for (const guard of this.guards) {
      if (guard.mode !== HOLE) continue;
      guard.wait -= 1;
      if (guard.wait === 0) guard.mode = CLIMB;
    }
  }

  /** Puts a guard who was killed into the first free cell from the top. */
  #bearAgain(guard) {
    if (guard.count > 0) this.#countGoldOut();
    [guard.row, guard.column] = this.#birthplace();
    guard.dy = guard.dx = guard.count = 0;
    [guard.mode, guard.wait] = [REBORN, NUMBERS.born + 1]; // it goes down in this tick
    this.#mark(guard, GUARD);
  }

  #birthplace() {
    const first = this.ticks % this.width;
    for (let row = 1; row < this.height; row++) {
      for (let i = 0; i < this.width; i++) {
        const column = (first + i) % this.width;
        if (this.now[row][column] === EMPTY && ![GOLD, BRICK].includes(this.tile[row][column])) return [row, column];
      }
    }
    return [0, first];
  }

  #ageBirths() {
    for (const guard of this.guards) {
      if (guard.mode !== REBORN) continue;
      guard.wait -= 1;
      if (guard.wait > 0) continue;
      guard.mode = FREE;
      this.#mark(guard, GUARD);
      if (guard.isAt(this.runner.row, this.runner.column)) this.alive = false;
    }
  }
}

/** How many guards move in a tick: one more than there are, in three ticks. */
function movesInTurn(guards, phase) {
  if (guards === 1) return phase % 2;
  if (guards === 3) return [1, 2, 1][phase % 3];
  const [least, more] = [Math.floor((guards + 1) / 3), (guards + 1) % 3];
  return least + (phase % 3 >= 3 - more ? 1 : 0);
}

/** How far a man is beyond the middle of his cell on a way. */
const along = (man, { down, right }) => man.dy * down + man.dx * right;

/** An offset that is smaller by some units, but not below 0. */
const nearer = (offset, units) => Math.max(0, Math.abs(offset) - units) * (offset > 0 ? 1 : -1) || 0;

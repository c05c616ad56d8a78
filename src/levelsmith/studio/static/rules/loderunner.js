// The rules of Lode Runner, as games/loderunner/rules/rules.py and chase.py have them, tick by tick.
import { cell, inside, place, read, table, write } from "./cells.js";

export const [EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, PLAYER] = [0, 1, 2, 3, 4, 5, 6, 7];
const SPELLINGS = [". ", "b", "B", "#", "-", "G", "E", "M"];
const SYMBOLS = table(SPELLINGS);
export const DIG_TICKS = 3;
export const HOLE_TICKS = 35;
export const PACE = 2; // an enemy takes a step every so many ticks

export { cell, place };

/** The state `{board, runner, gold, holes, ticks, enemies, caught}` that a text shows; throws where it is no level. */
export function parse(text) {
  const board = read(text, SYMBOLS, null, SOLID);
  const found = { [GOLD]: [], [ENEMY]: [], [PLAYER]: [] };
  for (const at of inside(board)) {
    if (!(board.tiles[at] in found)) continue;
    found[board.tiles[at]].push(at);
    board.tiles[at] = EMPTY;
  }
  if (found[PLAYER].length !== 1) throw new Error(`expected one player (M), got ${found[PLAYER].length}`);
  if (!found[GOLD].length) throw new Error("expected at least one piece of gold (G), got none");
  return {
    board: { ...board, enemies: found[ENEMY], pieces: found[GOLD].length },
    runner: found[PLAYER][0],
    gold: new Set(found[GOLD]),
    holes: new Map(), // cell -> ticks for which it is open
    ticks: 0,
    enemies: found[ENEMY],
    caught: false,
  };
}

function delta(board, move) {
  return { u: -board.stride, d: board.stride, l: -1, r: 1, ".": 0 }[move];
}

const digs = (move) => move === "L" || move === "R";

function isHard({ board, holes }, at) {
  const tile = board.tiles[at];
  return tile === SOLID || (tile === BRICK && !holes.has(at));
}

function hangs(board, at) {
  return board.tiles[at] === LADDER || board.tiles[at] === ROPE;
}

/** The state as it is to the runner: the hole of an enemy is hard, so that he walks over it. */
function carried(state) {
  const holes = new Map(state.holes);
  for (const at of state.enemies) if (at !== state.runner) holes.delete(at);
  return { ...state, holes };
}

/** Whether the runner, or an enemy who is there, does not fall. */
export function stands(state, at) {
  if (at === undefined) return stands(carried(state), state.runner);
  const below = at + state.board.stride;
  return hangs(state.board, at) || state.board.tiles[below] === LADDER || isHard(state, below);
}

/** What a move leads to while the enemies stand still: `{state}`, or `{reason}` why there is none. */
export function attempt(state, move) {
  const { board, runner, gold } = state;
  if (move !== "d" && !stands(state)) return { reason: "the runner falls, which is d" };
  if (digs(move)) {
    const brick = runner + board.stride + (move === "L" ? -1 : 1);
    const reason = undiggable(state, brick);
    return reason ? { reason } : aged(state, runner, gold, brick, DIG_TICKS);
  }
  if (move === "u" && board.tiles[runner] !== LADDER) return { reason: "no ladder leads up from here" };
  const there = runner + delta(board, move);
  if (isHard(state, there)) return { reason: "something hard is in the way" };
  let left = gold;
  if (gold.has(there)) {
    left = new Set(gold);
    left.delete(there);
  }
  return aged(state, there, left, null, 1);
}

function undiggable(state, brick) {
  const { board, gold, holes } = state;
  const above = brick - board.stride;
  if (board.tiles[brick] !== BRICK || holes.has(brick)) return "no brick is there to dig";
  if (gold.has(above)) return "gold lies on that brick";
  if (hangs(board, above) || isHard(state, above)) return "something lies on that brick";
  return null;
}

/** The state some ticks later, with a hole that was dug meanwhile. */
function aged(state, runner, gold, dug, ticks) {
  const holes = new Map();
  for (const [at, left] of state.holes) if (left > ticks) holes.set(at, left - ticks);
  if (state.holes.has(runner) && !holes.has(runner)) return { reason: LOST };
  if (dug !== null) holes.set(dug, HOLE_TICKS);
  return { state: { ...state, runner, gold, holes, ticks: state.ticks + ticks } };
}

export const LOST = "the hole fills while the runner is in it";

export function step(state, move) {
  return attempt(state, move).state ?? null;
}

export function solved(state) {
  return state.gold.size === 0;
}

/** The same with enemies that walk the shortest way to the runner, and fall into holes. */
export function chase(before, move) {
  const brick = before.runner + before.board.stride + (move === "L" ? -1 : 1);
  if (digs(move) && stands(before) && before.holes.has(brick)) return { reason: "no brick is there to dig" };
  const { state, reason } = attempt(carried(before), move);
  if (!state) return { reason };
  const { board, runner, ticks } = state;
  const passed = ticks - before.ticks;
  for (const [at, left] of before.holes) {
    if (at !== before.runner && before.enemies.includes(at) && left > passed) state.holes.set(at, left - passed);
  }
  // The hole of an enemy has filled: it comes back where it began.
  const enemies = before.enemies.map((at, i) => (isHard(state, at) ? board.enemies[i] : at));
  let caught = enemies.includes(runner);
  for (let tick = before.ticks + 1; tick <= ticks; tick++) {
    if (tick % PACE === 0) {
      for (let i = 0; i < enemies.length; i++) {
        const there = nextOf(state, enemies[i]);
        if (!enemies.includes(there)) enemies[i] = there;
      }
    }
    caught ||= enemies.includes(runner);
  }
  return { state: { ...state, enemies, caught } };
}

/** The next cell on an enemy's shortest way to the runner, holes not foreseen; without a way it stays. */
function nextOf(state, enemy) {
  if (state.holes.has(enemy)) return enemy;
  if (!stands(state, enemy)) return enemy + state.board.stride;
  const hopes = { ...state, holes: new Map() };
  const first = new Map([[enemy, enemy]]); // by where a way leads, its first step
  for (const at of first.keys()) {
    if (at === state.runner) return first.get(at);
    for (const there of movesFrom(hopes, at)) {
      if (!first.has(there)) first.set(there, at === enemy ? there : first.get(at));
    }
  }
  return enemy;
}

function movesFrom(state, at) {
  const { board } = state;
  if (!stands(state, at)) return [at + board.stride];
  const letters = board.tiles[at] === LADDER ? "lrud" : "lrd";
  return [...letters].map((letter) => at + delta(board, letter)).filter((there) => !isHard(state, there));
}

/** The tile that lies at a cell, whoever is there: a hole is empty. */
export function ground(state, at) {
  return state.holes.has(at) ? EMPTY : state.board.tiles[at];
}

export function text(state) {
  return write(state.board, (at) => {
    let tile = state.gold.has(at) ? GOLD : ground(state, at);
    if (state.enemies.includes(at)) tile = ENEMY;
    if (state.runner === at) tile = PLAYER;
    return SPELLINGS[tile][0];
  });
}

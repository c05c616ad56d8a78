// The rules of Lode Runner while its enemies stand still, move by move, as games/loderunner/rules/rules.py has them.
import { cell, inside, place, read, table, write } from "../../../rules/cells.js";

const [EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, PLAYER] = [0, 1, 2, 3, 4, 5, 6, 7];
const SPELLINGS = [". ", "b", "B", "#", "-", "G", "E", "M"];
const SYMBOLS = table(SPELLINGS);
const DIG_TICKS = 3;
const HOLE_TICKS = 35;

export { cell, place };

/** The state `{board, runner, gold, holes, ticks, enemies}` that a text shows; throws where it is no level. */
export function parse(text) {
  const board = read(text, SYMBOLS, null, SOLID);
  const found = { [GOLD]: [], [ENEMY]: [], [PLAYER]: [] };
  for (const at of inside(board)) {
    if (!(board.tiles[at] in found)) continue;
    found[board.tiles[at]].push(at);
    board.tiles[at] = EMPTY;
  }
  if (found[PLAYER].length !== 1) throw new Error(`expected one player (M), got ${found[PLAYER].length}`);
  return {
    board,
    runner: found[PLAYER][0],
    gold: new Set(found[GOLD]),
    holes: new Map(), // cell -> ticks for which it is open
    ticks: 0,
    enemies: found[ENEMY],
  };
}

function delta(board, move) {
  return { u: -board.stride, d: board.stride, l: -1, r: 1, ".": 0 }[move];
}

function isHard({ board, holes }, at) {
  const tile = board.tiles[at];
  return tile === SOLID || (tile === BRICK && !holes.has(at));
}

function hangs(board, at) {
  return board.tiles[at] === LADDER || board.tiles[at] === ROPE;
}

function stands(state) {
  const below = state.runner + state.board.stride;
  return hangs(state.board, state.runner) || state.board.tiles[below] === LADDER || isHard(state, below);
}

/** The state after a move, or null where it cannot be made. */
export function step(state, move) {
  const { board, runner, gold } = state;
  if (move !== "d" && !stands(state)) return null;
  if (move === "L" || move === "R") {
    const brick = runner + board.stride + (move === "L" ? -1 : 1);
    return isDiggable(state, brick) ? aged(state, runner, gold, brick, DIG_TICKS) : null;
  }
  const there = runner + delta(board, move);
  if ((move === "u" && board.tiles[runner] !== LADDER) || isHard(state, there)) return null;
  let left = gold;
  if (gold.has(there)) {
    left = new Set(gold);
    left.delete(there);
  }
  return aged(state, there, left, null, 1);
}

function isDiggable(state, brick) {
  const { board, gold, holes } = state;
  const above = brick - board.stride;
  const isCovered = gold.has(above) || hangs(board, above) || isHard(state, above);
  return board.tiles[brick] === BRICK && !holes.has(brick) && !isCovered;
}

/** The state some ticks later, with a hole that was dug meanwhile; null where one fills over the runner. */
function aged(state, runner, gold, dug, ticks) {
  const holes = new Map();
  for (const [at, left] of state.holes) if (left > ticks) holes.set(at, left - ticks);
  if (state.holes.has(runner) && !holes.has(runner)) return null;
  if (dug !== null) holes.set(dug, HOLE_TICKS);
  return { ...state, runner, gold, holes, ticks: state.ticks + ticks };
}

export function solved(state) {
  return state.gold.size === 0;
}

export function text(state) {
  return write(state.board, (at) => {
    let tile = state.holes.has(at) ? EMPTY : state.board.tiles[at];
    if (state.gold.has(at)) tile = GOLD;
    if (state.enemies.includes(at)) tile = ENEMY;
    if (state.runner === at) tile = PLAYER;
    return SPELLINGS[tile][0];
  });
}

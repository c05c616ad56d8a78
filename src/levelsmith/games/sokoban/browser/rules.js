// The rules of Sokoban, as games/sokoban/rules/rules.py has them; a state is never changed, so undo keeps the old ones.
import { cell, inside, place, read, table, write } from "../../rules/cells.js";

export const [FLOOR, WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL] = [0, 1, 2, 3, 4, 5, 6];
const SPELLINGS = [" -_", "#", "$b", ".o", "*B", "@p", "+P"];
const SYMBOLS = table(SPELLINGS);
const DIRECTIONS = "udlr";
const COUNT_DIGITS = 9;
const LONGEST = 1_000_000;

export { cell, place };

/** The state `{board, player, boxes}` that a text shows; throws where it is no level. */
export function parse(text) {
  const board = read(text, SYMBOLS, FLOOR, WALL);
  const goals = new Set();
  const boxes = new Set();
  const players = [];
  for (const at of inside(board)) {
    const tile = board.tiles[at];
    if ([GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL].includes(tile)) goals.add(at);
    if (tile === BOX || tile === BOX_ON_GOAL) boxes.add(at);
    if (tile === PLAYER || tile === PLAYER_ON_GOAL) players.push(at);
    board.tiles[at] = tile === WALL ? WALL : FLOOR;
  }
  if (players.length !== 1) throw new Error(`expected one player, got ${players.length}`);
  if (boxes.size !== goals.size) {
    const [lacking, more] = boxes.size > goals.size ? ["goal", boxes.size - goals.size] : ["box", goals.size - boxes.size];
    const counted = (count, noun) => `${count} ${count === 1 ? noun : { box: "boxes", goal: "goals" }[noun]}`;
    throw new Error(`${counted(boxes.size, "box")} but ${counted(goals.size, "goal")}: add ${more === 1 ? `a ${lacking}` : counted(more, lacking)}`);
  }
  return { board: { ...board, goals }, player: players[0], boxes };
}

function delta(board, move) {
  return [-board.stride, board.stride, -1, 1][DIRECTIONS.indexOf(move)];
}

const isWall = (board, at) => board.tiles[at] === WALL;

/** The state after a move u d l r, or null where a wall or a second box is in the way. */
export function step(state, move) {
  const { board, player, boxes } = state;
  const by = delta(board, move.toLowerCase());
  const there = player + by;
  if (isWall(board, there)) return null;
  if (!boxes.has(there)) return { board, player: there, boxes };
  const beyond = there + by;
  if (isWall(board, beyond) || boxes.has(beyond)) return null;
  const moved = new Set(boxes);
  moved.delete(there);
  moved.add(beyond);
  return { board, player: there, boxes: moved };
}

export function solved(state) {
  return [...state.boxes].every((box) => state.board.goals.has(box));
}

export function text(state) {
  const { board, player, boxes } = state;
  return write(board, (at) => {
    const goal = board.goals.has(at);
    let tile = goal ? GOAL : board.tiles[at];
    if (boxes.has(at)) tile = goal ? BOX_ON_GOAL : BOX;
    if (at === player) tile = goal ? PLAYER_ON_GOAL : PLAYER;
    return SPELLINGS[tile][0];
  });
}

/** From where the player stands, by cell reached: the cell before and the move between them. */
function walks(board, player, boxes) {
  const from = new Map([[player, null]]);
  for (const at of from.keys()) {
    for (const move of DIRECTIONS) {
      const there = at + delta(board, move);
      if (!from.has(there) && !boxes.has(there) && !isWall(board, there)) from.set(there, [at, move]);
    }
  }
  return from;
}

function way(from, at) {
  let moves = "";
  for (let link = from.get(at); link; link = from.get(link[0])) moves = link[1] + moves;
  return moves;
}

/** The fewest moves without a push to [row, col], or null. */
export function walk(state, [row, col]) {
  const at = cell(state.board, row, col);
  const from = walks(state.board, state.player, state.boxes);
  return from.has(at) ? way(from, at) : null;
}

/** Moves that bring the box at one place to another with the fewest pushes of it alone, or null. */
export function carry(state, box, goal) {
  const { board } = state;
  const [start, end] = [box, goal].map(([row, col]) => cell(board, row, col));
  if (!state.boxes.has(start) || start === end) return null;
  const others = new Set(state.boxes);
  others.delete(start);
  const seen = new Set();
  const waiting = [{ at: start, player: state.player, moves: "" }];
  for (const { at, player, moves } of waiting) {
    if (at === end) return moves;
    const from = walks(board, player, new Set(others).add(at));
    for (const move of DIRECTIONS) {
      const by = delta(board, move);
      const key = at * 4 + DIRECTIONS.indexOf(move);
      const beyond = at + by;
      if (seen.has(key) || !from.has(at - by) || isWall(board, beyond) || others.has(beyond)) continue;
      seen.add(key);
      waiting.push({ at: beyond, player: at, moves: moves + way(from, at - by) + move.toUpperCase() });
    }
  }
  return null;
}

/** Plain moves of a solution, as games/sokoban/formats/lurd.py unpacks run lengths such as `3r2(Ul)`. */
export function moves(packed) {
  const text = packed.replace(/\s+/g, "");
  const strange = /[^udlrUDLR0-9()]/.exec(text);
  if (strange) throw new Error(`expected moves u d l r (capitals for pushes), got '${strange[0]}'`);
  const counts = [];
  const parts = [""];
  let count = null;
  const add = (part, times) => {
    if (parts.at(-1).length + part.length * times > LONGEST) throw new Error(`expected at most ${LONGEST} moves`);
    parts[parts.length - 1] += part.repeat(times);
  };
  for (const [token] of text.matchAll(/[0-9]+|./g)) {
    if (/[0-9]/.test(token)) {
      count = Number(token);
      if (token.length > COUNT_DIGITS || count === 0) throw new Error(`expected counts from 1, got '${token}'`);
      continue;
    }
    if (token === "(") {
      counts.push(count ?? 1);
      parts.push("");
    } else if (token === ")") {
      if (count !== null || counts.length === 0) throw new Error("expected something to repeat, got )");
      add(parts.pop(), counts.pop());
    } else {
      add(token, count ?? 1);
    }
    count = null;
  }
  if (count !== null || counts.length) throw new Error("expected a closing bracket, got the end");
  return parts[0];
}

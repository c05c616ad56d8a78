// Why nobody can win a PuzzleScript board, as far as it tells by itself; games/puzzlescript/why.py says the same.
import { halves } from "./game.js";

/**
 * Why a board that nobody can win is lost: {why, stuck}, in words, or null where nothing short can be said; and the
 * cells [row, col] of things that never get where they are wanted. @param {Object} guide of guide.js
 */
export function reasons({ constants }, { names, conditions }, puzzle, guide) {
  const found = { why: conditions.length ? tooFew(puzzle, conditions, constants.codes) : null, stuck: [] };
  for (let goal = 0; goal < guide.goals.shape[0]; goal++) {
    const { why, stuck } = never({ names, conditions }, puzzle, guide, goal, constants);
    found.why ??= why;
    found.stuck.push(...stuck);
  }
  return found;
}

/** That there are fewer places than things that have to be at one. */
function tooFew({ rules, cells, state }, conditions, { ALL }) {
  const { wins } = rules;
  const words = 2 * rules.words;
  const [objects, what, where] = [state.objects, wins.what, wins.where].map(halves);
  const count = (sets, c, together) => {
    const members = sets.subarray(c * words, (c + 1) * words);
    const has = (i) => (together ? members.every((word, k) => (objects[i * words + k] & word) >>> 0 === word) : members.some((word, k) => objects[i * words + k] & word));
    return Array.from({ length: cells }, (_, i) => i).filter(has).length;
  };
  for (const [c, text] of conditions.entries()) {
    const told = text.split(" ");
    if (wins.kind.at(c) !== ALL || wins.anywhere.at(c) || told.length !== 4) continue;
    const [many, places] = [count(what, c, wins.what_all.at(c)), count(where, c, wins.where_all.at(c))];
    if (many > places) return `there are ${many} ${told[1]} and ${places} ${told[3]} for '${text}'`;
  }
  return null;
}

/** Why a goal is never reached, and the things that tell it. */
function never({ names, conditions }, puzzle, { goals, objects, moves }, goal, { codes: { ALL, NO }, outlook, state: { HEIGHT, WORD } }) {
  const told = (column) => goals.at(goal * goals.shape[1] + outlook[column]);
  const { control, sets } = puzzle.state;
  const [height, count] = [control.at(HEIGHT), sets.shape[1]];
  const spots = [];
  for (let row = told("FIRST"); row < told("FIRST") + told("ROWS"); row++) {
    const thing = objects.at(row);
    for (let i = 0; i < puzzle.cells; i++) {
      const word = sets.cells[thing * count + Math.floor(i / WORD)];
      if ((word >> BigInt(i % WORD)) & 1n) spots.push({ row: i % height, col: Math.floor(i / height), thing, lost: moves.at(row * puzzle.cells + i) === outlook.NEVER });
    }
  }
  const stuck = spots.filter(({ lost }) => lost).sort((one, other) => one.row - other.row || one.col - other.col || one.thing - other.thing);
  const [able, needed] = [spots.length - stuck.length, told("NEEDED")];
  if (needed ? able >= needed : !stuck.length) return { why: null, stuck: [] };
  const places = needed ? [] : stuck.map(({ row, col }) => [row, col]);
  const text = conditions[told("CONDITION")];
  if (text === undefined) return { why: null, stuck: places };
  const kind = puzzle.rules.wins.kind.at(told("CONDITION"));
  if (needed) return { why: `'${text}' takes ${needed} ${text.split(" ")[kind === ALL ? 3 : 1]}, and ${able || "none"} can get there`, stuck: [] };
  const [{ row, col, thing }] = stuck;
  const ends = kind === NO ? `away, as '${text}' asks` : `to where '${text}' asks`;
  return { why: `no keys bring the ${names[thing]} at row ${row + 1}, column ${col + 1} ${ends}`, stuck: places };
}

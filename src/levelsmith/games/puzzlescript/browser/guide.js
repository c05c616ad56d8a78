// What is known about the keys that a PuzzleScript board takes, found by the library's kernels, as games/puzzlescript/
// bounds.py has it.
import { Kernels } from "../../kernels.js";

/** A tuple in the memory of another library, to be laid out anew. */
export const numbersOf = (tuple) => Object.fromEntries(Object.entries(tuple).map(([name, array]) => [name, { shape: array.shape, bytes: array.bytes }]));

/** What is known about the board of a puzzle, where the keys are `keys`, by their numbers: a tuple. */
export function guideOf({ libraries, constants }, told, puzzle, keys) {
  const { codes: { INPUTS }, solve: { NO_KEY }, state: { SET_WORDS }, goals: g, outlines: o, prospects: p } = constants;
  const kernels = new Kernels(libraries["puzzlescript-goals"]);
  const rules = kernels.tuple("Rules", told);
  const board = kernels.tuple("Board", numbersOf(puzzle.state));
  const outlines = outlinesOf(kernels, rules, o);
  const [words, sizes] = [board.control.at(SET_WORDS), outlines.sizes];
  const inRule = sizes.at(o.IN_RULE);
  const [objects, count, [layers]] = [rules.objects, rules.rules.line.length, rules.layer_sets.shape];
  const prospects = kernels.tuple("Prospects", {
    area: [p.AREAS, words], may_be: [objects, words], stays: [objects, words], may_move: [objects, p.WAYS, words],
    turned: [objects, sizes.at(o.IN_LAYER) + 1, words], born: [objects, words], place: objects, changed: objects,
    tried: count, matches: count, wild: layers, where: [inRule, words], spare: [p.SPARES, words], tally: p.CLOCKS,
  });
  const ways = kernels.filled("i64", keys.filter((key) => key !== NO_KEY).map((key) => INPUTS[key]));
  if (!kernels.call("settle", rules, board, outlines, prospects, ways)) return emptyGuide(kernels, constants, 0, 0, puzzle.cells);
  const most = rules.wins.kind.length * (objects + 1) + 1;
  const goals = kernels.tuple("Goals", {
    objects: [most, rules.words], wanted: [most, words], numbers: [most, g.NUMBERS], sets: [g.SETS, rules.words],
    areas: [g.AREAS, words], offsets: [p.WAYS, g.OFFSETS * inRule + 1],
  });
  const found = kernels.call("find_goals", rules, prospects, goals);
  const ones = goals.objects.cells.subarray(0, found * rules.words).reduce((sum, word) => sum + bits(word), 0);
  const guide = emptyGuide(kernels, constants, found, ones, puzzle.cells);
  kernels.call("fill_guide", rules, board, outlines, prospects, goals, found, guide);
  return guide;
}

/** Room for some goals with so many objects together; for none, that nothing is known. */
function emptyGuide(kernels, { outlook }, goals, rows, cells) {
  return kernels.tuple("Guide", { goals: [goals, outlook.COLUMNS], objects: rows, moves: [rows, cells], nearest: rows * cells + 1 });
}

/** What the rules of a game do to layers, whatever the level. */
function outlinesOf(kernels, rules, { ROWS, NUMBERS, SETS, SIZES }) {
  const sizes = kernels.array("i64", SIZES);
  let outlines;
  for (let pass = 0; pass < 2; pass++) { // the first time there is no room, and it is found how much is needed
    const rows = sizes.at(ROWS);
    outlines = kernels.tuple("Outlines", {
      first: [2, rules.cells.set.shape[0]], numbers: [rows, NUMBERS], sets: [rows, SETS, rules.words],
      needs: [rules.rules.line.length, rules.words], wild: rules.layer_sets.shape[0], sizes,
    });
    kernels.call("outline", rules, outlines);
  }
  return outlines;
}

function bits(word) {
  let count = 0;
  for (let left = word; left; left &= left - 1n) count += 1;
  return count;
}

// Seeds as the command takes them: of a seed and the number of a run, the words that random numbers begin with.
import { Kernels } from "./kernels.js";

const STATE = 625; // words of Python's random numbers
const [WORD, KEY] = [2 ** 32, 8]; // what a word holds; words of the number that those begin with

/** Words of 32 bits.
 * @param {import("./kernels.js").Library} library @param {number} seed @param {number} run @param {number} count
 * @returns {number[]} */
export function wordsOf(library, seed, run, count) {
  const kernels = new Kernels(library);
  const words = kernels.array("i64", count);
  kernels.call("spread_seed", kernels.filled("i64", [seed % WORD, Math.floor(seed / WORD), 0, 0, run]), words);
  return Array.from(words.cells, Number);
}

/** The state of Python's own random numbers, which makers in Python draw by.
 * @param {import("./kernels.js").Library} library @param {number} seed @param {number} run @returns {Uint32Array} */
export function diceOf(library, seed, run) {
  const kernels = new Kernels(library);
  const dice = kernels.array("u32", STATE);
  kernels.call("begin_dice", dice, kernels.filled("i64", wordsOf(library, seed, run, KEY)));
  return dice.cells.slice();
}

/** The state of the random numbers of kernels: two words of 64 bits.
 * @param {import("./kernels.js").Library} library @param {number} seed @param {number} run @returns {bigint[]} */
export function streamOf(library, seed, run) {
  const [a, b, c, d] = wordsOf(library, seed, run, 4).map(BigInt);
  const [one, two] = [a | (b << 32n), c | (d << 32n)];
  return one || two ? [one, two] : [1n, 0n]; // zeros would stay zeros for ever
}

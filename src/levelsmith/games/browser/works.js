// What games have done in the background: generators, which yield how far they are.
import { prove } from "./puzzlescript/prove.js";
import { solve as solveSokoban } from "./sokoban/solve.js";

export const WORKS = { sokoban: { solve: solveSokoban }, puzzlescript: { prove } };

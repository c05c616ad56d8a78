// What games have done in the background: generators, which yield how far they are.
import { solve as solveSokoban } from "./sokoban/solve.js";

export const WORKS = { sokoban: { solve: solveSokoban } };

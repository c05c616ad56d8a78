// Plays what the rule books wrote down by the browser's rules and kernels; comes back with what differs.
import { Game } from "./games/loderunner/rules/game.js";
import { GOLD } from "./games/loderunner/rules/men.js";
import * as still from "./games/loderunner/rules/still.js";
import { boardOf, cell, Game as Sokoban, kinds, place, textOf } from "./games/sokoban/game.js";
import { solve } from "./games/sokoban/solve.js";
import { carried, loaded } from "./kernels.js";

const SOME = 10; // moves between two looks at where the player can walk to
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export default async function replay(traces) {
  const wrong = [];
  let steps = 0;
  const expect = (what, got, wanted) => {
    steps += 1;
    if (!same(got, wanted)) wrong.push({ what, got, wanted });
  };
  const compiled = traces.sokoban.length ? await loaded("sokoban", carried({ sokoban: traces.compiled })) : null;
  for (const trace of traces.sokoban) walk(trace, { compiled, kind: { tiles: traces.tiles } }, expect);
  for (const trace of traces.still) ramble(trace, expect);
  for (const trace of traces.guards) run(trace, expect);
  return { steps, wrong: wrong.slice(0, 3), count: wrong.length };
}

function walk(trace, { compiled, kind }, expect) {
  const board = boardOf(kind, trace.text);
  const game = new Sokoban(compiled, board);
  let position = game.start;
  for (const [number, [move, went, shown, solved, near]] of trace.steps.entries()) {
    const after = game.step(position, move);
    position = after ?? position;
    expect(`sokoban ${move}`, [after !== null, textOf(kind, board, position), position.left === 0], [went, shown, solved]);
    if (number % SOME) continue;
    const reached = [];
    for (let row = 0; row < board.height; row++) {
      for (let col = 0; col < board.width; col++) {
        const moves = game.walk(position, cell(board, row, col));
        if (moves === null) continue;
        reached.push([row, col]);
        expect("walk", place(board, [...moves].reduce((one, each) => game.step(one, each), position).player), [row, col]);
      }
    }
    expect("region", reached, near);
  }
  carry(game, board, compiled, expect);
}

/** Each box alone to each goal, the others as walls: it gets there, and they stay where they are. */
function carry(game, board, compiled, expect) {
  const { isBox, isGoal } = kinds(compiled.constants);
  const places = (is, tiles) => [...tiles.keys()].filter((at) => is(tiles[at]));
  const boxes = places(isBox, board.tiles);
  for (const box of boxes) {
    for (const goal of places(isGoal, board.tiles)) {
      if (boxes.includes(goal)) continue;
      const steps = solve(compiled, { board: game.alone(board, game.start, box, goal, compiled.constants.tiles) });
      let found = steps.next();
      while (!found.done) found = steps.next();
      if (found.value.solution === null) continue;
      const after = [...found.value.solution.toLowerCase()].reduce((one, each) => game.step(one, each), game.start);
      const wanted = [...boxes.filter((one) => one !== box), goal].sort((one, other) => one - other);
      expect("carry", places(isBox, after.tiles), wanted);
    }
  }
}

function ramble({ text, steps }, expect) {
  let state = still.parse(text);
  for (const [move, reason, ...wanted] of steps) {
    const after = still.step(state, move);
    state = after ?? state;
    expect(`${move} while nobody moves`, [after === null, still.text(state), state.ticks, still.solved(state)], [reason !== null, ...wanted]);
  }
}

/** Plays a recorded game: the states that are told, and by a checksum all the others. */
function run({ name, level, exit, inputs, ticks, states, crc32 }, expect) {
  const game = new Game(level, exit);
  const keys = new Map(inputs);
  const told = new Map(states.map((state) => [state.tick, state]));
  let check = 0;
  for (let tick = 0; tick <= ticks; tick++) {
    if (tick) game.tick(keys.get(tick));
    const state = seen(game);
    if (told.has(tick)) expect(`${name} at ${tick}`, state, told.get(tick));
    check = summed(lineOf(state), check);
  }
  expect(`${name}, all ticks`, check.toString(16).padStart(8, "0"), crc32);
}

/** All that can be seen of a game, as the rule book tells it. */
function seen(game) {
  const place = ({ row, column, dy, dx }) => [row, column, dy, dx];
  const cell = (at) => [Math.floor(at / game.width), at % game.width];
  return {
    tick: game.ticks,
    runner: place(game.runner),
    falling: game.falling,
    guards: game.guards.map((guard) => [...place(guard), guard.mode, guard.count, guard.wait]),
    holes: [...game.holes].sort(([one], [other]) => one - other).map(([at, left]) => [...cell(at), left]),
    dig: game.dig,
    left: game.left,
    gold: game.tile.flat().flatMap((tile, at) => (tile === GOLD ? [cell(at)] : [])),
    status: game.status,
  };
}

function lineOf({ tick, runner, falling, guards, holes, dig, left, gold, status }) {
  const [men, pits, pieces] = [guards, holes, gold].map((items) => items.map((item) => item.join(" ")).join(";"));
  const first = [tick, ...runner, Number(falling)].join(" ");
  return `${[first, men, pits, dig?.join(" ") ?? "-", left, pieces, status].join("|")}\n`;
}

/** The CRC-32 of what came before and a text. */
function summed(text, before) {
  let sum = ~before;
  for (const letter of text) {
    sum ^= letter.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

// Plays what the rule books wrote down by the browser's rules and kernels; comes back with what differs.
import { boardOf as groundOf } from "./games/loderunner/level.js";
import { Still } from "./games/loderunner/still.js";
import { boardOf, cell, Game as Sokoban, kinds, place, textOf } from "./games/sokoban/game.js";
import { solve } from "./games/sokoban/solve.js";
import { carried, loaded } from "./kernels.js";
import { write } from "./rules/cells.js";

const SOME = 10; // moves between two looks at where the player can walk to
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export default async function replay(traces) {
  const wrong = [];
  let steps = 0;
  const expect = (what, got, wanted) => {
    steps += 1;
    if (!same(got, wanted)) wrong.push({ what, got, wanted });
  };
  const source = carried(traces.compiled);
  const [sokoban, loderunner] = await Promise.all(["sokoban", "loderunner"].map(async (name) =>
    ({ compiled: await loaded(name, source), kind: { name, tiles: traces.tiles[name] } })));
  for (const trace of traces.sokoban) walk(trace, sokoban, expect);
  for (const trace of traces.still) ramble(trace, loderunner, expect);
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

function ramble({ text, steps }, { compiled, kind }, expect) {
  const board = groundOf(kind, text);
  const still = new Still(compiled, board, steps.length);
  const [gone, enemy, player] = ["trap", "enemy", "player"].map((name) => kind.tiles.findIndex((tile) => tile.name === name));
  const shown = () => {
    const tiles = still.tiles;
    for (const at of still.enemies) if (!kind.tiles[tiles[at]].name.match("gold")) tiles[at] = enemy;
    tiles[(still.runner[0] + 1) * board.stride + still.runner[1] + 1] = player;
    return write(board, (at) => kind.tiles[tiles[at] === gone ? 1 : tiles[at]].char);
  };
  for (const [move, reason, ...wanted] of steps) {
    const went = still.step(move);
    expect(`${move} while nobody moves`, [went, shown(), still.ticks, still.left === 0], [reason === null, ...wanted]);
  }
}

// Plays what the rule books wrote down by the browser's rules; comes back with what differs.
import * as binary from "./rules/binary.js";
import * as loderunner from "./rules/loderunner.js";
import * as sokoban from "./rules/sokoban.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const order = (cells) => cells.sort((one, other) => one[0] - other[0] || one[1] - other[1]);

export default function replay(traces) {
  const wrong = [];
  let steps = 0;
  const expect = (what, got, wanted) => {
    steps += 1;
    if (!same(got, wanted)) wrong.push({ what, got, wanted });
  };
  for (const trace of traces.sokoban) walk(trace, expect);
  for (const [packed, plain] of traces.lurd) expect(`lurd ${packed}`, unpacked(packed), plain);
  for (const trace of traces.plans) follow(trace, expect);
  for (const trace of traces.chases) flee(trace, expect);
  for (const trace of traces.binary) map(trace, expect);
  return { steps, wrong: wrong.slice(0, 3), count: wrong.length };
}

function walk(trace, expect) {
  let state = sokoban.parse(trace.text);
  for (const [move, went, shown, solved, near] of trace.steps) {
    const after = sokoban.step(state, move);
    state = after ?? state;
    expect(`sokoban ${move}`, [after !== null, sokoban.text(state), sokoban.solved(state)], [went, shown, solved]);
    const { height, width } = state.board;
    const reached = [];
    for (let row = 0; row < height; row++) {
      for (let col = 0; col < width; col++) {
        const moves = sokoban.walk(state, [row, col]);
        if (moves === null) continue;
        reached.push([row, col]);
        expect("walk", place(sokoban, [...moves].reduce(sokoban.step, state).player, state), [row, col]);
      }
    }
    expect("region", reached, near);
  }
  carried(sokoban.parse(trace.text), expect);
}

function carried(state, expect) {
  for (const box of state.boxes) {
    for (const goal of state.board.goals) {
      const [from, to] = [box, goal].map((at) => place(sokoban, at, state));
      const moves = sokoban.carry(state, from, to);
      if (moves === null) continue;
      const boxes = new Set(state.boxes);
      boxes.delete(box);
      const after = [...moves].reduce(sokoban.step, state);
      expect("carry", [...after.boxes].sort(), [...boxes.add(goal)].sort());
    }
  }
}

function unpacked(packed) {
  try {
    return sokoban.moves(packed);
  } catch {
    return null;
  }
}

function place(rules, at, state) {
  return rules.place(state.board, at);
}

function follow({ text, plan, shown }, expect) {
  let state = loderunner.parse(text);
  expect("start", loderunner.text(state), shown[0]);
  [...plan].forEach((move, i) => {
    state = loderunner.step(state, move);
    expect(`plan ${move}`, loderunner.text(state), shown[i + 1]);
  });
  expect("solved", loderunner.solved(state), true);
}

function flee(trace, expect) {
  let state = loderunner.parse(trace.text);
  const at = (cell) => place(loderunner, cell, state);
  for (const [move, ...wanted] of trace.steps) {
    const result = loderunner.chase(state, move);
    state = result.state ?? state;
    const holes = order([...state.holes].map(([cell, left]) => [...at(cell), left]));
    const gold = order([...state.gold].map(at));
    const got = [result.reason ?? null, at(state.runner), gold, holes, state.ticks, state.enemies.map(at), state.caught];
    expect(`chase ${move}`, got, wanted);
  }
}

function map(trace, expect) {
  const state = binary.parse(trace.text);
  const regions = binary.regions(state);
  const path = binary.longest(state);
  expect("text", binary.text(state), trace.text);
  expect("regions", [regions.flat().length, regions.length], [trace.empty, trace.regions]);
  expect("path", Math.max(path.length - 1, 0), trace.path);
  expect("way", Math.max(binary.through(state).length - 1, 0), trace.way);
  expect("path walks on", path.every(([row, col], i) => i === 0 || Math.abs(row - path[i - 1][0]) + Math.abs(col - path[i - 1][1]) === 1), true);
  expect("path is empty", path.every(([row, col]) => state.board.tiles[binary.cell(state.board, row, col)] === binary.EMPTY), true);
}

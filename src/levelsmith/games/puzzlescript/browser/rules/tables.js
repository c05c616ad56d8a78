// The tables of a PuzzleScript game, as columns of numbers, made into what the engine looks up.

/** Rules as objects: rows of parts, each with its first cell and how many, and what a rule needs on the board. */
export function rulesOf({ rules, cells, words, move_words }) {
  const span = (first, count, one) => Array.from({ length: count }, (_, k) => one(first + k));
  return rules.line.map((_, r) => {
    const [needs, needsMoves] = [new Int32Array(words), new Int32Array(move_words)];
    const rows = span(rules.row_first[r], rules.row_count[r], (row) => span(rules.part_first[row], rules.part_count[row], (part) => {
      const [first, count] = [rules.cell_first[part], rules.cell_count[part]];
      for (let n = first * words; n < (first + count) * words; n++) needs[n % words] |= cells.present[n];
      for (let n = first * move_words; n < (first + count) * move_words; n++) needsMoves[n % move_words] |= cells.moving[n];
      return { first, count };
    }));
    return { rows, needs, needsMoves, direction: rules.direction[r], commands: rules.commands[r], rigid: rules.rigid[r] };
  });
}

/** Win conditions, each with its sets of objects. */
export function winsOf({ wins, words }) {
  const set = (column, c) => Int32Array.from(column.slice(c * words, (c + 1) * words));
  return wins.kind.map((kind, c) => ({
    kind,
    what: set(wins.what, c),
    where: set(wins.where, c),
    what_all: wins.what_all[c],
    where_all: wins.where_all[c],
    anywhere: wins.anywhere[c],
  }));
}

/** The objects of which one is drawn, for each cell of the rules. */
export function choicesOf({ cells, objects, words }) {
  const numbers = Array.from({ length: objects }, (_, n) => n);
  return cells.changes.map((_, c) => {
    const set = cells.random.slice(c * words, (c + 1) * words);
    return set.some(Boolean) ? numbers.filter((n) => (set[n >> 5] >> (n & 31)) & 1) : [];
  });
}

// Grids as lists with a border around them, so that a neighbour of a cell is a sum and outside is a tile too.

/** Text as tiles: `{height, width, stride, tiles}`, cell (row, col) at (row + 1) * stride + col + 1. */
export function read(text, symbols, blank, outside) {
  const rows = text.replace(/^\n+|\n+$/g, "").split("\n");
  const height = rows.length;
  const width = Math.max(...rows.map((row) => row.length));
  const stride = width + 2;
  const tiles = new Array(stride * (height + 2)).fill(outside);
  for (let row = 0; row < height; row++) {
    if (rows[row].length < width && blank === null) throw new Error("expected rows of equal length");
    for (let col = 0; col < width; col++) {
      const symbol = rows[row][col];
      const tile = symbol === undefined ? blank : symbols.get(symbol);
      if (tile === undefined) throw new Error(`expected tiles ${[...symbols.keys()].join(" ")}, got ${symbol}`);
      tiles[(row + 1) * stride + col + 1] = tile;
    }
  }
  return { height, width, stride, tiles };
}

/** Of `["$b", …]` each character's tile. */
export function table(spellings) {
  return new Map(spellings.flatMap((spelling, tile) => [...spelling].map((symbol) => [symbol, tile])));
}

export function cell(board, row, col) {
  return (row + 1) * board.stride + col + 1;
}

export function place(board, at) {
  return [Math.floor(at / board.stride) - 1, (at % board.stride) - 1];
}

/** All cells inside the border, row by row. */
export function* inside(board) {
  for (let row = 0; row < board.height; row++) {
    for (let col = 0; col < board.width; col++) yield cell(board, row, col);
  }
}

/** Tiles as text again, `symbol(at)` for each cell. */
export function write(board, symbol) {
  const rows = [];
  for (let row = 0; row < board.height; row++) {
    let line = "";
    for (let col = 0; col < board.width; col++) line += symbol(cell(board, row, col));
    rows.push(line);
  }
  return rows.join("\n");
}

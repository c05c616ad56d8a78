// Reads hint tables of levelsmith: read(text).get(name).best(rows) is a move, "lost", "won" or null (unknown).

class Hints {
  constructor(level) {
    this.letters = level.letters;
    this.seed = level.seed;
    this.data = Uint8Array.from(atob(level.table), (c) => c.charCodeAt(0));
    this.view = new DataView(this.data.buffer);
  }

  /** @param {string} rows the level as it stands now, a symbol a cell, rows joined by line feeds */
  best(rows) {
    let number = (2166136261 ^ this.seed) >>> 0;
    for (const byte of new TextEncoder().encode(rows)) number = Math.imul(number ^ byte, 16777619) >>> 0;
    let low = 0, high = this.data.length / 5;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.view.getUint32(5 * middle) < number) low = middle + 1;
      else high = middle;
    }
    if (5 * low >= this.data.length || this.view.getUint32(5 * low) !== number) return null;
    const move = this.data[5 * low + 4];
    return move === 255 ? "lost" : move === 254 ? "won" : this.letters[move];
  }
}

/** @param {string} text what `levelsmith check --hints FILE` has written */
export const read = (text) => new Map(JSON.parse(text).levels.map((level) => [level.name, new Hints(level)]));

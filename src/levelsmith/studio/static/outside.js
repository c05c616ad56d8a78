// What lies beyond the walls of a level, which no picture shows.

/** The names of tiles, row by row, with null for the ground beyond the walls: all of it that touches the edge, where
 * nothing stands on it and something is left inside. `Game.outside` of the library tells the same. */
export function withoutOutside(names, ground, walls) {
  const [height, width] = [names.length, names[0].length];
  const isEdge = (row, col) => row === 0 || col === 0 || row === height - 1 || col === width - 1;
  const cells = names.flatMap((_, row) => Array.from({ length: width }, (_, col) => [row, col]));
  const rim = cells.filter(([row, col]) => isEdge(row, col) && !walls.has(names[row][col]));
  const outside = new Set(rim.map(([row, col]) => row * width + col));
  for (const at of outside) { // it grows while it is read
    const [row, col] = [Math.floor(at / width), at % width];
    if (names[row][col] !== ground) return names; // somebody is out there: the level is open
    for (const [down, right] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const name = names[row + down]?.[col + right];
      if (name !== undefined && !walls.has(name)) outside.add((row + down) * width + col + right);
    }
  }
  const isInside = ([row, col]) => !walls.has(names[row][col]) && !outside.has(row * width + col);
  if (!cells.some(isInside)) return names;
  return names.map((line, row) => line.map((name, col) => (outside.has(row * width + col) ? null : name)));
}

/** The same for a game of the catalogue, if its levels have an outside: its first tile is the ground. */
export function shownTiles(game, names) {
  if (!game.outside) return names;
  return withoutOutside(names, game.tiles[0].name, new Set(game.tiles.filter(({ tags }) => tags.includes("solid")).map(({ name }) => name)));
}

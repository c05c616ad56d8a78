// What pages call it, and a level to begin with, while the gallery is empty.
export const NAME = "Lode Runner";

export const SAMPLE = {
  game: "loderunner",
  size: "16x9",
  title: "A first run",
  text: [
    "................", ".G...E.......G..", "bbbb#bbbbbb#bbbb", "....#......#....", "..G.#.----.#.G..",
    "bbbbbb#..#bbbbbb", "......#..#......", "..G...#M.#...G..", "bbbbbbbbbbbbbbbb",
  ].join("\n"),
};

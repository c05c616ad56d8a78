// A level of each game to begin with, while the gallery is empty.
export const SAMPLES = {
  sokoban: { game: "sokoban", size: "7x6", title: "A first room", text: "#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######" },
  loderunner: {
    game: "loderunner",
    size: "16x9",
    title: "A first run",
    text: [
      "................", ".G...E.......G..", "bbbb#bbbbbb#bbbb", "....#......#....", "..G.#.----.#.G..",
      "bbbbbb#..#bbbbbb", "......#..#......", "..G...#M.#...G..", "bbbbbbbbbbbbbbbb",
    ].join("\n"),
  },
  binary: { game: "binary", size: "9x6", title: "A first cave", text: ".........\n#######..\n.......#.\n.#####.#.\n...#...#.\n.#...###." },
};

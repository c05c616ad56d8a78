// What pages call it, and a level to begin with, while the gallery is empty.
export const NAME = "Sokoban";

export const METRICS = {
  solved: "boxes already home", turn_share: "symmetry by half a turn", mirror_share: "symmetry by a mirror",
  seldom_pushed: "share of boxes hardly pushed",
};

export const SAMPLE = { game: "sokoban", size: "7x6", title: "A first room", text: "#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######" };

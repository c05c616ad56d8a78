"""The numbers of Sokoban's tiles, for the rules and for what is compiled alike."""

FLOOR, WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL = range(7)

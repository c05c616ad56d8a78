"""Numbers that tables and turns are written in, for the kernel and for everybody else."""

UP, DOWN, LEFT, RIGHT, ACTION = range(5)  # bits of a layer, and directions of rules
INPUTS = (UP, LEFT, DOWN, RIGHT, ACTION)  # the movement of the inputs 0 to 4, as sessions record them
LAYERS_IN_WORD = 12
MOVE_BITS = 5 * LAYERS_IN_WORD  # of a word

# Commands of a rule, as bits.
COMMANDS = ("again", "cancel", "checkpoint", "restart", "win", "message", *(f"sfx{i}" for i in range(11)))
AGAIN, CANCEL, CHECKPOINT, RESTART, WIN, MESSAGE, SOUND = (1 << i for i in range(7))

NO, SOME, ALL = range(3)  # win conditions

# Turns: of a key or a tick, of the start of a level, only to see whether it would do anything, of a restart;
# and the end of a turn with a restart in it.
PLAY, START, PROBE, RESTARTED, OVER = range(5)
# What comes of a turn, as bits: undo comes back here; won; again follows; a probe's yes; given up.
PUSHED, WON, PENDING, YES, STOPPED = (1 << i for i in range(5))
# What a win does: nothing any more, end the level, or play on without further wins.
NEVER_WINS, ENDS, GOES_ON = range(3)

# The original's limits.
MOST_PASSES = 200  # over the rules of a group
MOST_JUMPS = 200  # back to the start of a loop, in one list of rules
MOST_ROUNDS = 50  # of a turn, while rigid groups fail

# Limits of ours.
MOST_AGAIN = 300  # turns in a row without a key
MOST_WORK = 20_000_000  # words and matches looked at after a key: about a second

"""Feeds a dataset of levels to a trainer of reasoning models: prompts, and answers rewarded by playing them.

Plain Python: no levelsmith, no trainer. `Puzzles` has the length and the items that trainers ask of a
dataset, and `Reward` is called as they call reward functions: completions in, a number for each out. The
answer is played by the rules in `verify.py`, which lies beside the data.

    levelsmith dataset sokoban --count 2k --seed 1 -o puzzles
    python examples/reasoning.py puzzles
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LONGEST = 4_000  # moves of an answer that are played


class Puzzles:
    """The rows of one split, each with a `prompt` and with what `reward` needs to judge an answer to it."""

    def __init__(self, folder: str | Path, split: str = "train", hardest: float = 100.0):
        told = json.loads(Path(folder, "dataset.json").read_text(encoding="utf-8"))
        lines = [
            line
            for file in sorted(Path(folder).glob(f"{split}-*.jsonl"))
            for line in file.read_text(encoding="utf-8").splitlines()
        ]
        rows = [json.loads(line) for line in lines]
        self.rows = [
            {**row, "symbols": told["symbols"], "game": told["game"], "fewest": length(row["solution"])}
            for row in rows
            if (row["difficulty"] or 0.0) <= hardest
        ]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.rows[index]


class Reward:
    """Judges answers by the rules that lie beside the data."""

    def __init__(self, folder: str | Path):
        spec = importlib.util.spec_from_file_location("verify", Path(folder, "verify.py"))
        assert spec is not None
        assert spec.loader is not None
        self.rules = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.rules)

    def __call__(
        self,
        prompts: Sequence[str],
        completions: Sequence[str],
        *,
        level: Sequence[str],
        symbols: Sequence[str],
        game: Sequence[str],
        fewest: Sequence[int],
        **_: Any,
    ) -> list[float]:
        """Returns 1 for a solution as short as the known one, less for a longer one, 0 for none."""
        judged = zip(completions, level, symbols, game, fewest, strict=True)
        return [self.judge(*one) for one in judged]

    def judge(self, completion: str, level: str, symbols: str, game: str, fewest: int) -> float:
        moves = answer_in(completion)
        try:
            grid = self.rules.grid_of(level, symbols)
            self.rules.play(grid, as_pushed(grid, moves, self.rules) if game == "sokoban" else moves)
        except self.rules.Fault:
            return 0.0
        return min(1.0, 0.5 + 0.5 * fewest / max(1, length(moves)))


def answer_in(completion: str) -> str:
    """Returns the moves of an answer: those in its last <answer> tag, or else its last words of moves.

    Keys with the ticks they stay down, such as r45 L12, are words; letters alone are one word.
    """
    tagged = re.findall(r"<answer>(.*?)</answer>", completion, re.DOTALL)
    presses = r"(?:[lrudLR.][0-9]+\s+)*[lrudLR.][0-9]+"
    words = [tagged[-1]] if tagged else re.findall(rf"{presses}|[udlrUDLR.]+", completion)[-1:]
    found = " ".join(words)
    timed = re.search("[0-9]", found)
    return re.sub(r"[^udlrUDLR.0-9\s]" if timed else r"[^udlrUDLR.]", "", found)[:LONGEST]


def length(moves: str) -> int:
    """Returns how long a solution is: its letters, or the ticks of its keys."""
    ticks = [int(number) for number in re.findall("[0-9]{1,5}", moves)]
    return sum(ticks) if ticks else len(moves)


def as_pushed(grid: list[list[int]], moves: str, rules: Any) -> str:
    """Returns Sokoban's moves with capitals for pushes, however the answer has written them."""
    boxes = {
        (y, x)
        for y, row in enumerate(grid)
        for x, tile in enumerate(row)
        if tile in (rules.BOX, rules.BOX_ON_GOAL)
    }
    players = (rules.PLAYER, rules.PLAYER_ON_GOAL)
    here = next((y, x) for y, row in enumerate(grid) for x, tile in enumerate(row) if tile in players)
    written = []
    for letter in moves.lower().replace(".", ""):
        down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}[letter]
        here = (here[0] + down, here[1] + right)
        written.append(letter.upper() if here in boxes else letter)
        if here in boxes:
            boxes = boxes - {here} | {(here[0] + down, here[1] + right)}
    return "".join(written)


def known(row: dict[str, Any]) -> str:
    """Returns the solution of a row as somebody may write it: which moves of Sokoban push is not asked."""
    return str(row["solution"]).lower() if row["game"] == "sokoban" else str(row["solution"])


def main() -> None:
    folder = sys.argv[1] if len(sys.argv) > 1 else "puzzles"
    puzzles, reward = Puzzles(folder), Reward(folder)
    rows = [puzzles[i] for i in range(min(100, len(puzzles)))]
    columns = {name: [row[name] for row in rows] for name in ("level", "symbols", "game", "fewest")}
    prompts = [row["prompt"] for row in rows]
    dice = random.Random(0)
    guesses = {
        "the known solution": [f"Like this. <answer>{known(row)}</answer>" for row in rows],
        "half of it": [row["solution"][: len(row["solution"]) // 2] for row in rows],
        "40 moves at random": ["".join(dice.choices("udlr", k=40)) for _ in rows],
    }
    print(prompts[0])
    for name, completions in guesses.items():
        earned = reward(prompts, completions, **columns)
        print(f"{name}: reward {sum(earned) / len(earned):.3f} over {len(earned)} levels of {len(puzzles):,}")


if __name__ == "__main__":
    main()

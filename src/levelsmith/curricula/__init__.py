"""Curricula: which level an agent is to play next, for any trainer that says what came of it.

>>> from levelsmith.curricula import Episode, Fresh, PrioritizedReplay
>>> curriculum = PrioritizedReplay(Fresh("orchard", size=(4, 5)), score="score", seed=1)
>>> levels = curriculum.sample(8)
>>> curriculum.update([Episode(level, solved=True, steps=9, reward=1.0, score=0.5) for level in levels])
>>> curriculum.statistics["buffer"]
8
"""

from levelsmith.curricula.accel import Accel
from levelsmith.curricula.curriculum import Curriculum, Uniform
from levelsmith.curricula.episode import SCORES, Episode
from levelsmith.curricula.learnability import Learnability
from levelsmith.curricula.ramp import Ramp
from levelsmith.curricula.replay import PrioritizedReplay
from levelsmith.curricula.sources import Fresh

__all__ = [
    "SCORES",
    "Accel",
    "Curriculum",
    "Episode",
    "Fresh",
    "Learnability",
    "PrioritizedReplay",
    "Ramp",
    "Uniform",
]

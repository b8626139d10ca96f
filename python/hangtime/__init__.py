"""Gameplay physics from hangtime: games, worlds that you drive, and environments for learning.

Units: lengths in px, times in s, velocities in px/s, angles in rad counterclockwise. x points right and y points up.

    import hangtime

    game = hangtime.Game("mygame")
    world = game.world("first", seed=1)
    world.step(60, inputs="30 right\\n30 right jump")
    x, y = world.observe(["pos.x", "pos.y"])

Environments:

* `HangtimeEnv`: one world, for Gymnasium
* `HangtimeVectorEnv`: many worlds at once, on all cores, for Gymnasium
* `hangtime.multiagent.parallel_env`: several players in one world, for PettingZoo
* `hangtime.sb3.HangtimeVecEnv`: many worlds at once, for Stable-Baselines3
* `gymnasium.make("hangtime/Level-v0", game="mygame", level="first")`, and `gymnasium.make_vec` likewise
"""

import gymnasium

from ._hangtime import Game, GameError, World, languages, step_together
from .env import HangtimeEnv
from .vector import HangtimeVectorEnv

__all__ = [
    "Game",
    "GameError",
    "HangtimeEnv",
    "HangtimeVectorEnv",
    "World",
    "languages",
    "step_together",
]

gymnasium.register(
    "hangtime/Level-v0",
    entry_point="hangtime.env:HangtimeEnv",
    vector_entry_point="hangtime.vector:HangtimeVectorEnv",
)

__version__ = "0.3.0"

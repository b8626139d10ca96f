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
"""

from ._hangtime import Game, GameError, World, step_together
from .env import HangtimeEnv
from .vector import HangtimeVectorEnv

__all__ = [
    "Game",
    "GameError",
    "HangtimeEnv",
    "HangtimeVectorEnv",
    "World",
    "step_together",
]

__version__ = "0.2.0"

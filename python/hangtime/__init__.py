"""Gameplay physics from hangtime: games, worlds that you drive, and environments for learning.

Units: lengths in px, times in s, velocities in px/s, angles in rad counterclockwise. x points right and y points up.

    import hangtime

    game = hangtime.Game("mygame")
    world = game.world("first", seed=1)
    world.step(60, inputs="30 right\\n30 right jump")
    x, y = world.observe(["pos.x", "pos.y"])
"""

from ._hangtime import Game, GameError, World, step_together

__all__ = [
    "Game",
    "GameError",
    "World",
    "step_together",
]

__version__ = "0.1.0"

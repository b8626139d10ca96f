"""One world as a Gymnasium environment."""

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._episodes import Reward, check_options, check_reward, checked_action, checked_reward, idle_action
from ._options import documented
from ._shared import OneAgent, OneWorld


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class HangtimeEnv(OneAgent, OneWorld, gymnasium.Env[NDArray[np.float32], NDArray[Any]]):
    """A level as an environment: an agent plays one of its players.

    Rewards and ends come from the script of the player's entity: `fn reward(me)` returns a number, `fn done(me)` whether
    the episode has ended. `reload()` brings what you change there into the running episode.

    Observations are arrays of float32. `observation_names` has the name of each number with its unit. Numbers are clamped
    to ±1e8.
    """

    metadata = {"render_modes": ["rgb_array", "human"]}

    reward: Reward | None = None
    """A function of the `World` that gives the reward, instead of the script."""

    def __post_init__(self) -> None:
        check_reward(self.reward, self.differences)
        episodes = self._open(1, [self.player])
        if self.reward is None:
            episodes.warn_without_reward()
        self._begun = self._over = False
        self.observation_space = episodes.observation_spaces[0]
        self.action_space = episodes.action_spaces[0]
        self.metadata = {**self.metadata, "render_fps": episodes.steps_per_second}

    @property
    def idle_action(self) -> NDArray[Any]:
        """The action that holds nothing. It is not all zeros: `sideways` 0 is left."""
        return idle_action(self._episodes.parts[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode, at tick 0 of the level.

        `seed` is the seed of the world, like `--seed` of `hangtime run`. Without it, the seed follows from the seed of
        the episode before. `on_birth` of scripts runs later, in the first tick. `options` must be empty.
        """
        check_options(options)
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._episodes.reset([seed])
        self._begun, self._over = True, False
        info = self._episodes.info([])
        self._show()
        return self._episodes.observations[0].copy(), info

    def step(
        self, action: Any
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Makes `frame_skip` ticks with an action.

        `info["tick"]` is the number of ticks since the episode began. If scripts fail, or the world does,
        `info["faults"]` has the messages.
        """
        if not self._begun or self._over:
            state = "has ended" if self._begun else "has not begun"
            raise gymnasium.error.ResetNeeded(f"the episode {state}: call reset()")
        episodes = self._episodes
        # An action that is an array of the right form needs no check here.
        made = episodes.step_one(action)
        if made is None:
            given = checked_action(self.action_space, action, self.action_space.shape or ())
            made = episodes.step_one(given)
            assert made is not None
        observation, reward, terminated, truncated, tick, messages = made
        self._over = terminated or truncated
        info = episodes.info_at(tick, messages)
        if self.reward is not None:
            reward = checked_reward(self.reward(self.world))
        if self.render_mode == "human":
            self._show()
        return observation, reward, terminated, truncated, info

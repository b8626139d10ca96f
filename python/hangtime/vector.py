"""Many worlds at once as a vectorized Gymnasium environment."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._episodes import check_options, checked_action, idle_action
from ._hangtime import World
from ._options import documented
from ._shared import OneAgent


@documented
@dataclass(eq=False, repr=False)
class HangtimeVectorEnv(OneAgent, VectorEnv[NDArray[np.float32], NDArray[Any], NDArray[Any]]):
    """Worlds of one level in one process, stepped on all cores with the GIL released.

    It plays like a `SyncVectorEnv` of as many `HangtimeEnv`, number by number: the same seeds and actions give the same
    observations, rewards and ends, on any number of threads.

    Autoreset is `AutoresetMode.NEXT_STEP`: the step after the end of an episode begins the next one. It ignores the
    action, and its reward is 0.
    """

    num_envs: int
    """The number of worlds."""
    _: KW_ONLY
    copy: bool = True
    """Whether `reset` and `step` return copies. Without, they return the same arrays every time, and the next step
    overwrites them."""

    def __post_init__(self) -> None:
        count = self.num_envs
        episodes = self._open(count, [self.player])
        episodes.warn_without_reward()
        self._begun = False
        self.single_observation_space = episodes.observation_spaces[0]
        self.single_action_space = episodes.action_spaces[0]
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self.metadata = {
            "render_modes": [],
            "autoreset_mode": AutoresetMode.NEXT_STEP,
            "render_fps": episodes.steps_per_second,
        }
        # One number for each world, in the memory that steps are written to.
        self._rewards = episodes.rewards[:, 0]
        self._terminated = episodes.terminated[:, 0]

    @property
    def idle_action(self) -> NDArray[Any]:
        """The actions that hold nothing, one row for each world. They are not all zeros: `sideways` 0 is left."""
        return np.tile(idle_action(self._episodes.parts[0]), (self.num_envs, 1))

    def input_file(self, index: int) -> str:
        """What was held in the episode of one world, as an input file that `hangtime run` plays. Needs `records=True`.

        The step after the end of an episode begins the next one, and its file.
        """
        return self._episodes.batch.record(index)

    def world(self, index: int) -> World:
        """A copy of one world: what happens to it does not happen to the episode."""
        return self._episodes.batch.world(index)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins episodes at tick 0 of the level.

        With a single seed, world `i` has the seed `seed + i`. `options["reset_mask"]`, an array of flags, chooses the worlds.
        """
        check_options(options, ["reset_mask"])
        count = self.num_envs
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds: list[int | None] = [int(seed) + i for i in range(count)]
        elif seed is None:
            seeds = [None] * count
            if not self._begun:
                seeds = [int(x) for x in self.np_random.integers(2**63, size=count)]
        else:
            seeds = [None if one is None else int(one) for one in seed]
            if not self._begun:
                random = self.np_random.integers(2**63, size=len(seeds))
                seeds = [int(other) if one is None else one for one, other in zip(seeds, random)]
            if len(seeds) != count:
                raise ValueError(f"seed must be one number or {count}, not {len(seeds)}")
        which = None
        if options is not None and "reset_mask" in options:
            mask = options["reset_mask"]
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
                raise TypeError("reset_mask must be an array of flags")
            if mask.shape != (count,) or not mask.any():
                raise ValueError(f"reset_mask must have the shape ({count},) and one flag that is set")
            which = mask.tolist()
        self._episodes.reset(seeds, which)
        self._begun = True
        chosen = np.ones(count, np.bool_) if which is None else np.array(which)
        return self._out(self._episodes.observations), self._episodes.infos([], chosen)

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Makes `frame_skip` ticks in every world, or begins the next episode where the last one has ended.

        `infos["tick"]` has the ticks of each world since its episode began. If scripts fail, `infos["faults"]` has a list
        of messages or `None` for each world, and `infos["_faults"]` flags the worlds with messages, as in the infos of
        other vectorized environments.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset()")
        shape = self.action_space.shape or ()
        messages = self._episodes.step(checked_action(self.single_action_space, actions, shape))
        infos = self._episodes.infos(messages, np.ones(self.num_envs, np.bool_))
        return (
            self._out(self._episodes.observations),
            self._out(self._rewards),
            self._out(self._terminated),
            self._out(self._episodes.truncated),
            infos,
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing has to be closed."""

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

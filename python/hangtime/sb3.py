"""Many worlds for Stable-Baselines3. Needs the package `stable_baselines3`."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv  # type: ignore[import-not-found, unused-ignore]

from ._hangtime import Game
from .vector import HangtimeVectorEnv


class HangtimeVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """Worlds of one level for the algorithms of Stable-Baselines3, stepped on all cores.

    The options are the same as for `HangtimeVectorEnv`. As Stable-Baselines3 expects, the step that ends an episode
    begins the next one: its observation is the first of the new episode, and the info has the last one as
    `terminal_observation`, and `TimeLimit.truncated`.

        model = PPO("MlpPolicy", HangtimeVecEnv("python/examples/crossing", "crossing", 64, normalize=True))
    """

    def __init__(self, game: Game | str | PathLike[str], level: str, num_envs: int, **options: Any) -> None:
        self.env = HangtimeVectorEnv(game, level, num_envs, **options)
        self._actions: Any = None
        super().__init__(num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> NDArray[np.float32]:
        """Begins episodes in all worlds, with the seeds of the last call of `seed`."""
        given = any(seed is not None for seed in self._seeds)
        seen, infos = self.env.reset(seed=self._seeds if given else None)
        self.reset_infos = self._split(infos)
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: Any) -> None:
        """Takes the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Makes the step, and begins the next episode where one has ended."""
        seen, rewards, terminated, truncated, infos = self.env.step(self._actions)
        ended = terminated | truncated
        each = self._split(infos)
        for place in np.flatnonzero(ended):
            each[place]["terminal_observation"] = seen[place].copy()
            each[place]["TimeLimit.truncated"] = bool(truncated[place] and not terminated[place])
        if ended.any():
            seen, begun = self.env.reset(options={"reset_mask": ended})
            for index, info in enumerate(self._split(begun)):
                if ended[index]:
                    self.reset_infos[index] = info
        return seen, rewards.astype(np.float32), ended, each

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of the environment, which is the same for all worlds."""
        return [getattr(self.env, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Sets an attribute of the environment, for all worlds. Options cannot change after the start."""
        if len(self._places(indices)) != self.num_envs:
            raise ValueError("all worlds have the same attributes: leave out indices")
        setattr(self.env, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Calls `world` or `input_file` for each of these worlds."""
        if method_name not in ("world", "input_file"):
            raise AttributeError(f"worlds have the methods `world` and `input_file`, not {method_name!r}")
        method = getattr(self.env, method_name)
        return [method(place, *args, **kwargs) for place in self._places(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Worlds are never wrapped one by one."""
        return [False] * len(self._places(indices))

    def get_images(self) -> Sequence[NDArray[np.uint8]]:
        """A picture of 640 x 360 px of each world."""
        return [self.env._episodes.batch.picture(place) for place in range(self.num_envs)]

    def _places(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def _split(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """The info of each world, from arrays with one place for each."""
        keys = [key for key in infos if not key.startswith("_")]
        return [{key: infos[key][i] for key in keys if infos[f"_{key}"][i]} for i in range(self.num_envs)]

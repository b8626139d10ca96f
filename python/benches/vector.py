"""Steps a second of the environments, and of Gymnasium's with CartPole, in the same run.

A single environment is compared with a single CartPole without wrappers. CartPole has its own vectorized environment, which
steps all poles with a few calls of NumPy, and `SyncVectorEnv` steps one pole after another.

    pip install ./python && python python/benches/vector.py

A line of JSON for each measurement, and a table of all at the end. Three numbers matter: steps of worlds a second (what an
agent gets), steps of entities a second (ticks times entities, what physics does), and both per CPU second, which other
programs on the machine hardly change. The environments take turns, and each number is a median.
That takes about five minutes; `--rounds 1 --seconds 0.5` is enough for a first look.
"""

import argparse
import json
import statistics
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv
from gymnasium.vector.utils import batch_space

from hangtime import HangtimeEnv, HangtimeVectorEnv
from hangtime._episodes import Episodes
from hangtime._options import EpisodeOptions

CROSSING = Path(__file__).resolve().parent.parent / "examples" / "crossing"


class Crowd:
    """Worlds in which eight agents play, each with its own body."""

    num_envs: int

    def __init__(self, worlds: int, frame_skip: int, threads: int | None) -> None:
        self.num_envs = worlds
        options = EpisodeOptions(CROSSING, "crowd", frame_skip=frame_skip, rays=0, entities=[], threads=threads)
        self.episodes = Episodes(options, worlds, range(1, 9))
        (space, *_) = self.episodes.action_spaces
        self.action_space = batch_space(gymnasium.spaces.MultiDiscrete(np.tile(space.nvec, 8)), worlds)

    def reset(self, seed: int) -> None:
        self.episodes.reset([seed + i for i in range(self.num_envs)])

    def step(self, actions: np.ndarray) -> None:
        self.episodes.step(actions)


class Single:
    """An environment of one world, which begins its next episode where the last one has ended."""

    num_envs = 1

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self.env, self.action_space = env, env.action_space

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def step(self, action: Any) -> None:
        _, _, terminated, truncated, _ = self.env.step(action)
        if terminated or truncated:
            self.env.reset()


class Subject:
    """An environment and actions for it. `entity_ticks` is what a step of one world is for physics."""

    def __init__(self, name: str, env: Any, entity_ticks: int, seconds: float) -> None:
        self.name, self.env, self.entity_ticks, self.seconds = name, env, entity_ticks, seconds
        env.action_space.seed(1)
        self.actions = [env.action_space.sample() for _ in range(16)]
        env.reset(seed=1)
        self.rates: list[tuple[float, float]] = []
        self.measure(seconds / 4)
        self.rates.clear()

    def measure(self, seconds: float | None = None) -> None:
        """Steps for a while, and notes the steps of worlds per second on the clock and per CPU second."""
        began, busy, steps = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() < began + (seconds or self.seconds):
            for action in self.actions:
                self.env.step(action)
            steps += len(self.actions)
        made = steps * self.env.num_envs
        self.rates.append((made / (time.perf_counter() - began), made / (time.process_time() - busy)))

    def report(self) -> tuple[float, float]:
        """Prints the medians."""
        wall, busy = (statistics.median(rates) for rates in zip(*self.rates))
        line = {"env": self.name, "worlds": self.env.num_envs, "world_steps_per_s": round(wall)}
        line["world_steps_per_cpu_s"] = round(busy)
        if self.entity_ticks:
            line["entity_steps_per_s"] = round(wall * self.entity_ticks)
            line["entity_steps_per_cpu_s"] = round(busy * self.entity_ticks)
        print(json.dumps(line))
        return wall, busy


def table(subjects: list[Subject], rates: dict[str, tuple[float, float]]) -> str:
    """Millions of steps of entities a second, and steps of worlds as multiples of the last environment's."""
    lines = ["  entity steps, M/s     world steps, x SyncVectorEnv", "   clock    CPU second     clock    CPU second"]
    last_wall, last_busy = rates[subjects[-1].name]
    for subject in subjects:
        wall, busy = rates[subject.name]
        entities = [f"{rate * subject.entity_ticks / 1e6:8.3f}" for rate in (wall, busy)]
        if not subject.entity_ticks:
            entities = [" " * 8] * 2
        worlds = [f"{wall / last_wall:8.1f}", f"{busy / last_busy:8.1f}"]
        lines.append("      ".join([*entities, *worlds]) + f"      {subject.name}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--threads", type=int, action="append", help="[default: 1 and one for each processor]")
    options = parser.parse_args()

    def alone(level: str, frame_skip: int, rays: int, threads: int | None) -> Subject:
        env = HangtimeVectorEnv(
            CROSSING, level, options.worlds, frame_skip=frame_skip, rays=rays, threads=threads
        )
        rules = "native rules" if level == "field" else "reward and done in a script"
        name = f"one body, {rules}, {frame_skip} ticks a step, {rays} rays, {threads or 'all'} threads"
        return Subject(name, env, frame_skip, options.seconds)

    def crowd(frame_skip: int, threads: int | None) -> Subject:
        name = f"eight bodies, native rules, {frame_skip} ticks a step, {threads or 'all'} threads"
        return Subject(name, Crowd(options.worlds, frame_skip, threads), 8 * frame_skip, options.seconds)

    warnings.simplefilter("ignore")
    subjects = []
    for threads in options.threads or [1, None]:
        subjects += [alone("field", skip, rays, threads) for skip, rays in [(1, 0), (4, 0), (4, 16)]]
        subjects += [crowd(frame_skip, threads) for frame_skip in (1, 4)]
    subjects.append(alone("crossing", 4, 16, None))
    for frame_skip in (1, 4):
        env = Single(HangtimeEnv(CROSSING, "field", frame_skip=frame_skip, rays=0))
        name = f"a single environment, one body, native rules, {frame_skip} ticks a step"
        subjects.append(Subject(name, env, frame_skip, options.seconds))
    cart = Single(gymnasium.make("CartPole-v1").unwrapped)
    subjects.append(Subject("a single CartPole-v1", cart, 0, options.seconds))
    carts = gymnasium.make_vec("CartPole-v1", options.worlds, vectorization_mode="vector_entry_point")
    subjects.append(Subject("CartPole-v1's own vectorized environment", carts, 0, options.seconds))
    sync = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1") for _ in range(options.worlds)])
    subjects.append(Subject("SyncVectorEnv of CartPole-v1", sync, 0, options.seconds))
    round_seconds = len(subjects) * options.seconds
    print(
        f"{len(subjects)} environments in {options.rounds} rounds of about {round_seconds:.0f} s", file=sys.stderr
    )
    for _ in range(options.rounds):
        for subject in subjects:
            subject.measure()
    rates = {subject.name: subject.report() for subject in subjects}
    print(table(subjects, rates))


if __name__ == "__main__":
    main()

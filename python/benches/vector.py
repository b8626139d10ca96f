"""Steps a second of the vectorized environment, and of Gymnasium's own with CartPole, in the same sitting.

    pip install ./python && python python/benches/vector.py

A line of JSON for each measurement. Two numbers matter: steps of worlds (what an agent gets) and steps of entities
(ticks times entities, what physics does). The environments take turns, and each number is a median.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from hangtime import HangtimeVectorEnv

CROSSING = Path(__file__).resolve().parent.parent / "examples" / "crossing"


class Subject:
    """An environment and actions for it."""

    def __init__(self, name: str, env: gymnasium.vector.VectorEnv, ticks: int, seconds: float) -> None:
        self.name, self.env, self.ticks, self.seconds = name, env, ticks, seconds
        env.action_space.seed(1)
        self.actions = [env.action_space.sample() for _ in range(16)]
        env.reset(seed=1)
        self.rates: list[float] = []
        self.measure(seconds / 4)
        self.rates.clear()

    def measure(self, seconds: float | None = None) -> None:
        """Steps for a while and notes the steps of worlds a second."""
        began, steps = time.perf_counter(), 0
        while time.perf_counter() < began + (seconds or self.seconds):
            for action in self.actions:
                self.env.step(action)
            steps += len(self.actions)
        self.rates.append(steps * self.env.num_envs / (time.perf_counter() - began))

    def report(self) -> float:
        """Prints the median."""
        rate = statistics.median(self.rates)
        print(json.dumps({
            "env": self.name,
            "worlds": self.env.num_envs,
            "world_steps_per_s": round(rate),
            "entity_steps_per_s": round(rate * self.ticks) if self.ticks else None,
            "rounds": [round(one) for one in self.rates],
        }))
        return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--threads", type=int, action="append", help="[default: 1 and one for each processor]")
    options = parser.parse_args()

    def ours(level: str, frame_skip: int, rays: int, threads: int | None) -> Subject:
        env = HangtimeVectorEnv(
            CROSSING, level, options.worlds, frame_skip=frame_skip, rays=rays, threads=threads, max_ticks=3600,
        )
        rules = "native rules" if level == "field" else "reward and done in a script"
        name = f"{rules}, {frame_skip} ticks a step, {rays} rays, {threads or 'all'} threads"
        return Subject(name, env, frame_skip, options.seconds)

    import warnings

    warnings.simplefilter("ignore")
    subjects = [
        ours("field", frame_skip, rays, threads)
        for threads in options.threads or [1, None]
        for frame_skip, rays in [(1, 0), (4, 0), (4, 16)]
    ]
    subjects.append(ours("crossing", 4, 16, None))
    cart = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1") for _ in range(options.worlds)])
    subjects.append(Subject("SyncVectorEnv of CartPole-v1", cart, 0, options.seconds))
    for _ in range(options.rounds):
        for subject in subjects:
            subject.measure()
    rates = {subject.name: subject.report() for subject in subjects}
    cart_rate = rates.pop("SyncVectorEnv of CartPole-v1")
    for name, rate in rates.items():
        print(f"{rate / cart_rate:8.1f} x CartPole: {name}")


if __name__ == "__main__":
    main()

"""Plays a level with every pair of values of two settings, and shows which pairs reach the goal.

    python sweep_two_tunables.py                  # 100 x 100 runs in this process
    python sweep_two_tunables.py --ray            # on all processors of this machine
    python sweep_two_tunables.py --ray --address auto --results sweep.jsonl   # on a cluster

With the outcomes in a file, a sweep that was stopped continues where it was.
"""

import argparse
import json
import time
from pathlib import Path

import pieces

import hangtime

HERE = Path(__file__).resolve().parent

#: A run over the step, the pit and the wall, for the tunables as they are.
INPUT = "15 right\n25 right jump\n51 right\n25 right jump\n45 right\n30 right jump\n60 right\n"


def values(name: str, low: float, high: float, steps: int) -> list[float]:
    """Evenly spaced values of a setting."""
    return [low + (high - low) * step / max(steps - 1, 1) for step in range(steps)]


def play_row(folder: Path, piece: int, job: dict) -> list[int | None]:
    """Plays all runs with one value of the first setting. Returns the tick at which each is at the goal."""
    game = hangtime.Game(folder)
    (first, *ends), (second, *other_ends) = job["vary"]
    one = values(first, *ends)[piece]
    row = []
    for other in values(second, *other_ends):
        world = game.world(job["level"], settings={first: one, second: other})
        world.step(0, job["input"])
        reached = None
        while world.tick < job["ticks"] and reached is None:
            world.step(10)
            reached = next((e["tick"] for e in world.events if e["event"] == "enter"), None)
        row.append(reached)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=HERE / "crossing", help="game folder")
    parser.add_argument("--level", default="crossing")
    parser.add_argument("--input", type=Path, help="input file [default: a run over all obstacles]")
    parser.add_argument("--ticks", type=int, default=300, help="ticks of a run [300]")
    parser.add_argument("--steps", type=int, default=100, help="values of each setting [100]")
    parser.add_argument("--vary", nargs=3, action="append", metavar=("KEY", "LOW", "HIGH"),
                        help="a setting and its range; name two")
    pieces.add_options(parser)
    options = parser.parse_args()
    vary = options.vary or [
        ("platformer.jump_speed", "200", "800"),
        ("platformer.run_speed_max", "200", "1000"),
    ]
    if len(vary) != 2:
        parser.error("--vary: name two settings")
    if options.steps < 1 or options.ticks < 1:
        parser.error("--steps and --ticks must be at least 1")
    with pieces.clean_errors():
        job = {
            "level": options.level,
            "ticks": options.ticks,
            "input": options.input.read_text() if options.input else INPUT,
            "vary": [[key, float(low), float(high), options.steps] for key, low, high in vary],
        }
        settings = {key: low for key, low, _, _ in job["vary"]}
        hangtime.Game(options.root).world(options.level, settings=settings)
    began = time.perf_counter()
    rows = dict(pieces.run(play_row, options.steps, options.root, job, options))
    seconds = time.perf_counter() - began
    keys = [key for key, *_ in job["vary"]]
    print(f"# goal reached: # yes, . no; down: {keys[0]}, across: {keys[1]}")
    for piece, value in enumerate(values(*job["vary"][0])):
        if piece not in rows:
            continue
        print(f"{value:10.2f} " + "".join("." if tick is None else "#" for tick in rows[piece]))
    ticks = [tick for row in rows.values() for tick in row]
    reached = [tick for tick in ticks if tick is not None]
    best = min(reached, default=None)
    summary = {"runs": len(ticks), "reached": len(reached), "fastest": best, "seconds": round(seconds, 2)}
    print(json.dumps(summary))


if __name__ == "__main__":
    main()

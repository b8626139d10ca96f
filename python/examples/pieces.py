"""Work in pieces that may run anywhere and may run again: on Ray, or one after another in this process.

A piece is a number, and its outcome follows from that number alone. So a piece whose worker was killed runs again
somewhere else. Outcomes are written to a file as soon as they are there: a run that was stopped itself continues where it
was.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import shlex
import sys
import tarfile
import tempfile
from pathlib import Path

import hangtime

GAME_FOLDERS = ("config", "scripts", "levels", "mods")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of every program that runs pieces."""
    parser.add_argument("--ray", action="store_true", help="run the pieces as tasks of Ray")
    parser.add_argument("--address", help="of a Ray cluster, or auto [default: this machine alone]")
    parser.add_argument("--retries", type=int, default=5, help="how often a lost piece runs again [5]")
    parser.add_argument("--results", type=Path, help="write outcomes here, and skip those that are there")
    parser.add_argument("--piece", type=int, metavar="N",
                        help="run this piece alone, from 0, as the jobs of an array or an Indexed Job do")
    parser.add_argument("--attempts", type=Path, metavar="DIR",
                        help="leave a file PIECE-PID here whenever a piece begins")


@contextlib.contextmanager
def clean_errors():
    """Ends the program with the message alone if the game, the level, or something in it does not exist."""
    try:
        yield
    except hangtime.GameError as error:
        # Messages about files begin with the file: `levels/first.toml:3:1: error: ...`.
        text = str(error)
        sys.exit(text if "error: " in text.partition("\n")[0] else f"error: {text}")
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}")
    except (KeyError, ValueError) as error:
        sys.exit(f"error: {error.args[0]}")


def show_how_to_play(root: Path, level: str, inputs: Path) -> None:
    """Prints the commands that play an input file, record the run, and play the recording."""
    recording = inputs.with_suffix(".run")
    run = ["hangtime", "--root", root, "run", level, "--input", inputs, "--record", recording]
    replay = ["hangtime", "replay", recording]
    commands = " && ".join(shlex.join(map(str, command)) for command in (run, replay))
    print(f"play it: {commands}", file=sys.stderr)


def pack(folder: Path) -> bytes:
    """A game folder as an archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name in GAME_FOLDERS:
            if (folder / name).is_dir():
                archive.add(folder / name, arcname=name)
    return buffer.getvalue()


def unpacked(game: bytes) -> Path:
    """The folder of a packed game on this machine; it is unpacked once."""
    folder = Path(tempfile.gettempdir()) / f"hangtime-{os.getuid()}-{hashlib.sha256(game).hexdigest()[:16]}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=folder.parent) as work:
            inner = Path(work, "game")
            inner.mkdir()
            with tarfile.open(fileobj=io.BytesIO(game), mode="r:gz") as archive:
                # Older versions of Python have no filters.
                archive.extractall(inner, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            try:
                inner.rename(folder)
            except OSError:
                # Another process was faster.
                pass
    return folder


def run_piece(work, piece, game, job, attempts):
    """Runs one piece, here or on a worker."""
    if attempts:
        Path(attempts, f"{piece}-{os.getpid()}").touch()
    return work(unpacked(game), piece, job)


def run(work, count: int, root: Path, job: dict, options: argparse.Namespace):
    """Yields (piece, outcome) for the pieces 0 to `count` - 1, as they are done.

    `work(folder, piece, job)` returns an outcome: plain data.
    """
    with clean_errors():
        known = read(options.results, job)
    for piece, outcome in known.items():
        yield piece, outcome
    wanted = range(count) if options.piece is None else [options.piece]
    if not all(piece in range(count) for piece in wanted):
        sys.exit(f"error: there are the pieces 0 to {count - 1}")
    left = [piece for piece in wanted if piece not in known]
    if known:
        print(f"{len(known)} of {count} pieces are done already", file=sys.stderr)
    game = pack(root)
    attempts = options.attempts and str(options.attempts.absolute())
    if options.ray:
        made = on_ray(work, left, game, job, attempts, options)
    else:
        made = ((piece, run_piece(work, piece, game, job, attempts)) for piece in left)
    for piece, outcome in made:
        if options.results:
            with options.results.open("a") as file:
                file.write(json.dumps({"piece": piece, "outcome": outcome}) + "\n")
        yield piece, outcome


def read(results: Path | None, job: dict) -> dict:
    """The outcomes of an earlier run of the same job. A last line that was cut is left out."""
    if results is None:
        return {}
    header = json.dumps({"job": job}, sort_keys=True)
    lines = results.read_text().split("\n") if results.exists() else []
    if not lines or not lines[0]:
        results.write_text(header + "\n")
        return {}
    if lines[0] != header:
        sys.exit(f"error: {results} has the outcomes of another job; remove it, or name another file")
    whole = [json.loads(line) for line in lines[1:-1]]
    if lines[-1]:
        results.write_text("\n".join(lines[:-1]) + "\n")
    return {line["piece"]: line["outcome"] for line in whole}


def on_ray(work, pieces, game, job, attempts, options):
    """The same on Ray. Pieces whose worker was lost run again; one that fails for good ends the run."""
    try:
        import ray
    except ImportError:
        sys.exit("error: this needs Ray: pip install ray")
    here = str(Path(__file__).resolve().parent)
    # Each worker has one processor, and imports the modules that lie next to this file.
    variables = {"RAYON_NUM_THREADS": "1"}
    if options.address is None:
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")]))
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR",
                 runtime_env={"env_vars": variables})
    else:
        ray.init(options.address, log_to_driver=False,
                 runtime_env={"env_vars": variables, "working_dir": here})
    try:
        task = ray.remote(run_piece).options(num_cpus=1, max_retries=options.retries)
        shared = ray.put(game)
        waiting = {task.remote(work, piece, shared, job, attempts): piece for piece in pieces}
        while waiting:
            done, _ = ray.wait(list(waiting))
            for reference in done:
                yield waiting.pop(reference), ray.get(reference)
    finally:
        ray.shutdown()

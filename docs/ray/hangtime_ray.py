#!/usr/bin/env python3
"""Runs the tests or a sweep of a hangtime game on a Ray cluster, in parts, and joins the results.

    pip install ray
    python hangtime_ray.py --parts 8 -- test
    python hangtime_ray.py --address auto --parts 64 --results all.jsonl -- \\
        sweep gap --input gap.input --vary platformer.coyote_time=0..0.2:0.001

Everything after `--` is a command of hangtime without --root, --partition and --results. Run this in
the game folder, or name it with --root. The game and the program are sent to the nodes, which need only
Ray and the same operating system and processor family.

A part whose worker is lost, because its process was killed or its machine is gone, runs again
somewhere else. The exit code is the same as for one run, such as 100 if tests failed, or 2 if parts are missing.
"""

import argparse
import io
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# Exit codes of hangtime: success, runs of a sweep failed or none passes, no tests found, tests failed.
SUCCESS, PROBLEMS_FOUND, NO_TESTS, TESTS_FAILED = 0, 1, 4, 100
UNUSABLE = 2

# The folders that a game is made of.
GAME_FOLDERS = ("config", "scripts", "levels")


class PartLost(Exception):
    """The program was killed before it was done. Ray runs the part again."""


class PartFailed(Exception):
    """The program refused to run the part. It would refuse again."""


def pack(root, also):
    """The game as a compressed archive: its folders, and files that the command names."""
    buffer = io.BytesIO()
    names = [name for name in GAME_FOLDERS if (root / name).is_dir()] + list(also)
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name in names:
            archive.add(root / name, arcname=name)
    return buffer.getvalue()


def unpack(game, folder):
    with tarfile.open(fileobj=io.BytesIO(game), mode="r:gz") as archive:
        # Older versions of Python have no filters.
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(folder, **safe)


def run_part(part, job, game, program):
    """Runs one part on a node. Returns its exit code, its messages, and its results file."""
    if job["attempts"]:
        mark = f"{part}-{socket.gethostname()}-{os.getpid()}"
        Path(job["attempts"], mark).touch()
    with tempfile.TemporaryDirectory(prefix="hangtime-") as folder:
        folder = Path(folder)
        root, executable = folder / "game", folder / "hangtime"
        root.mkdir()
        unpack(game, root)
        executable.write_bytes(program)
        executable.chmod(0o755)
        results = folder / "results.jsonl"
        command = [
            str(executable),
            *job["command"],
            "--partition",
            f"slice:{part}/{job['parts']}",
            "--results",
            str(results),
        ]
        try:
            done = subprocess.run(
                command,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=job["timeout"],
            )
        except subprocess.TimeoutExpired:
            raise PartFailed(f"took longer than {job['timeout']} s") from None
        messages = done.stderr.decode("utf-8", "replace")
        if done.returncode < 0:
            raise PartLost(f"was ended by signal {-done.returncode}")
        if done.returncode not in (SUCCESS, PROBLEMS_FOUND, NO_TESTS, TESTS_FAILED):
            raise PartFailed(f"ended with exit code {done.returncode}:\n{messages}")
        written = results.read_bytes() if results.exists() else b""
        return done.returncode, messages, written


def run_parts(ray, job, game, program, options):
    """Runs all parts and yields (part, outcome) as they end; an outcome is an exception, or what
    `run_part` returns."""
    remote = ray.remote(run_part).options(
        num_cpus=options.cpus,
        # Workers that are lost, and programs that were killed on a worker that was not.
        max_retries=options.retries,
        retry_exceptions=[PartLost],
    )
    game, program = ray.put(game), ray.put(program)
    parts = {
        remote.remote(part, job, game, program): part for part in range(1, job["parts"] + 1)
    }
    waiting = list(parts)
    while waiting:
        done, waiting = ray.wait(waiting)
        for reference in done:
            try:
                outcome = ray.get(reference)
            except ray.exceptions.RayError as error:
                outcome = error
            yield parts[reference], outcome


def reason(error):
    """Why a part has no results, in a line or two."""
    cause = getattr(error, "cause", None)
    return str(cause if isinstance(cause, (PartLost, PartFailed)) else error).strip()


def tell(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description="Run the tests or a sweep of a hangtime game on a Ray cluster.",
        usage="%(prog)s [options] -- test|sweep [options of hangtime]",
    )
    parser.add_argument("--address", help="of a Ray cluster, or auto [default: this machine alone]")
    parser.add_argument("--parts", type=int, help="number of parts [default: 4 for each processor]")
    parser.add_argument("--root", type=Path, default=Path("."), help="game folder [default: here]")
    parser.add_argument("--program", default="hangtime", help="hangtime for the nodes and for here")
    parser.add_argument("--also", action="append", default=[], metavar="PATH",
                        help="a file or folder below the game folder that the command names; "
                        "config/, scripts/ and levels/ are always sent")
    parser.add_argument("--cpus", type=float, default=1, help="processors of a part [default: 1]")
    parser.add_argument("--retries", type=int, default=3,
                        help="how often a lost part runs again; -1 is without limit [default: 3]")
    parser.add_argument("--timeout", type=float, help="seconds that a part may take")
    parser.add_argument("--results", help="write the joined results to this file")
    parser.add_argument("--junit", help="write the joined results as JUnit XML to this file")
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="keep the results file of each part in this folder")
    parser.add_argument("--attempts", metavar="DIR",
                        help="leave a file PART-HOST-PID here for each time that a part was begun; "
                        "all nodes must share the folder")
    parser.add_argument("command", nargs="+", help="the command of hangtime, after --")
    options = parser.parse_args()
    if options.command[0] not in ("test", "sweep"):
        parser.error(f"only test and sweep run in parts, not {options.command[0]}")
    if options.parts is not None and options.parts < 1:
        parser.error("--parts must be at least 1")
    for path in options.also:
        if Path(path).is_absolute() or not (options.root / path).exists():
            parser.error(f"--also {path}: no such file below the game folder")
    return options


def merge(program, options, folder, parts):
    """Joins the results. Prints what one run would, and returns its exit code."""
    files = [str(folder / f"{part}.jsonl") for part in sorted(parts)]
    command = [program, "merge", *files]
    for name in ("results", "junit"):
        if getattr(options, name):
            command += [f"--{name}", getattr(options, name)]
    return subprocess.run(command).returncode


def main():
    options = arguments()
    program = shutil.which(options.program)
    if program is None:
        tell(f"error: there is no program {options.program}; name it with --program")
        return UNUSABLE
    try:
        import ray
    except ImportError:
        tell("error: this needs Ray: pip install ray")
        return UNUSABLE
    ray.init(address=options.address, include_dashboard=False if options.address is None else None,
             log_to_driver=False, logging_level="ERROR")
    processors = int(ray.cluster_resources().get("CPU", 1))
    job = {
        "parts": options.parts or 4 * processors,
        "command": options.command,
        "timeout": options.timeout,
        "attempts": options.attempts and str(Path(options.attempts).absolute()),
    }
    game = pack(options.root, options.also)
    tell(f"{job['parts']} parts on {processors} processors")
    with tempfile.TemporaryDirectory(prefix="hangtime-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        written, empty, count = [], None, 0
        for part, outcome in run_parts(ray, job, game, Path(program).read_bytes(), options):
            count += 1
            name = f"part {part} ({count} of {job['parts']})"
            if isinstance(outcome, Exception):
                tell(f"{name}: no results: {reason(outcome)}")
                continue
            code, messages, results = outcome
            if code == NO_TESTS:
                empty = messages
                continue
            (folder / f"{part}.jsonl").write_bytes(results)
            written.append(part)
            tell(f"{name}: {'done' if code == SUCCESS else 'with failures'}")
        ray.shutdown()
        if not written:
            tell(empty.strip() if empty else "error: no part has results")
            return NO_TESTS if empty else UNUSABLE
        return merge(program, options, folder, written)


if __name__ == "__main__":
    sys.exit(main())

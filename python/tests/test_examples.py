"""The examples, with small numbers."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import CROSSING, PYTHON, run_program

EXAMPLES = PYTHON / "examples"


def start(name, *arguments):
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, codes=(0,)):
    said, errors = process.communicate(timeout=600)
    assert process.returncode in codes, said + errors
    return said, json.loads(said.splitlines()[-1])


def run(name, *arguments, codes=(0,)):
    return finish(start(name, *arguments), codes)


def play_as_told(program, errors, folder):
    """Types the commands with which an example says that its findings play. Returns what each of them prints."""
    (folder / "hangtime").symlink_to(Path(program).resolve())
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    commands = [line.removeprefix("play it: ") for line in errors.splitlines() if line.startswith("play it: ")]
    played = []
    for command in commands:
        assert " && hangtime replay " in command
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        played.append(done.stdout + done.stderr)
    return played


def outcomes(path: Path):
    """The outcomes in a results file, in the order of their pieces."""
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return sorted((line["piece"], line["outcome"]) for line in lines)


def test_a_sweep_shows_where_the_goal_is_reached():
    said, summary = run("sweep_two_tunables.py", "--steps", 6)
    assert summary["runs"] == 36
    assert 0 < summary["reached"] < 36
    rows = [line.split()[1] for line in said.splitlines()[1:-1]]
    assert len(rows) == 6 and all(len(row) == 6 for row in rows)
    assert sum(row.count("#") for row in rows) == summary["reached"]
    # A hero that can hardly jump does not get over the wall.
    assert "#" not in rows[0]


def test_a_sweep_that_was_stopped_continues_where_it_was(tmp_path):
    results = tmp_path / "sweep.jsonl"
    _, whole = run("sweep_two_tunables.py", "--steps", 4, "--results", results)
    expected = outcomes(results)
    lines = results.read_text().splitlines(keepends=True)
    # The last line is cut, as after a process was killed.
    results.write_text("".join(lines[:3]) + lines[3][:10])
    said, again = run("sweep_two_tunables.py", "--steps", 4, "--results", results)
    assert outcomes(results) == expected
    assert again["reached"] == whole["reached"]
    other = start("sweep_two_tunables.py", "--steps", 5, "--results", results)
    _, errors = other.communicate(timeout=60)
    assert other.returncode == 1 and "another job" in errors


def test_a_search_finds_what_breaks_the_level_and_the_program_plays_it(program, tmp_path):
    out = tmp_path / "found"
    process = start("break_my_level.py", "--tries", 120, "--size", 40, "--out", out)
    said, errors = process.communicate(timeout=600)
    assert process.returncode == 1, errors
    kinds = {line.split(":")[0] for line in said.splitlines()[:-1]}
    assert kinds == {"stuck", "script", "fall_out"}
    found = json.loads(said.splitlines()[-1])["found"]
    assert found == len(list(out.glob("*.input")))
    played = play_as_told(program, errors, tmp_path)
    assert len(played) == found and all("the same" in one for one in played)
    script = next(out.glob("*-script.input"))
    ticks = sum(int(line.split()[0]) for line in script.read_text().splitlines()[2:])
    said = run_program(
        program, "--root", str(CROSSING), "run", "broken", "--input", str(script), "--ticks", str(ticks)
    )
    assert "careless.rhai" in said and "crown" in said


def test_a_piece_alone_has_the_same_outcome(tmp_path):
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    shared = ["--tries", 20, "--size", 10]
    run("break_my_level.py", *shared, "--results", whole, codes=(0, 1))
    run("break_my_level.py", *shared, "--results", part, "--piece", 1, codes=(0, 1))
    assert outcomes(part) == outcomes(whole)[1:]
    wrong = start("break_my_level.py", *shared, "--piece", 2)
    assert "the pieces 0 to 1" in wrong.communicate(timeout=60)[1]


def test_pieces_survive_a_killed_worker(tmp_path):
    pytest.importorskip("ray")
    alone, ray = tmp_path / "alone.jsonl", tmp_path / "ray.jsonl"
    attempts = tmp_path / "attempts"
    attempts.mkdir()
    shared = ["--tries", 160, "--size", 40]
    run("break_my_level.py", *shared, "--results", alone, codes=(1,))
    process = start("break_my_level.py", *shared, "--results", ray, "--ray", "--attempts", attempts)
    deadline = time.monotonic() + 240
    while not (marks := sorted(attempts.iterdir())):
        assert time.monotonic() < deadline and process.poll() is None, process.communicate()
        time.sleep(0.02)
    piece, worker = marks[0].name.split("-")
    os.kill(int(worker), signal.SIGKILL)
    finish(process, codes=(1,))
    assert outcomes(ray) == outcomes(alone)
    assert len(list(attempts.glob(f"{piece}-*"))) >= 2, "the piece ran again"


def test_a_pool_of_actors_learns_like_one_process():
    pytest.importorskip("ray")
    shared = ["--worlds", 32, "--generations", 2, "--goal", 1e9]
    _, alone = run("learn_crossing.py", *shared)
    _, pool = run("learn_crossing.py", *shared, "--actors", 2)
    assert (pool["best"], pool["median"]) == (alone["best"], alone["median"])


def test_an_agent_learns_to_get_farther():
    process = start("learn_crossing.py", "--worlds", 64, "--generations", 12)
    said, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    means = [float(line.split("mean ")[1].split(",")[0]) for line in errors.splitlines() if "mean" in line]
    assert sum(means[-3:]) > sum(means[:3])


def test_a_faster_run_than_the_demo_is_found_and_plays_in_the_program(program, tmp_path):
    # The shell needs quotes for this name. The first part of the playground, up to the rock behind the pit.
    process = start("faster_run.py", "--beam", 20, "--finish", 1300, "--out", tmp_path / "my faster.input")
    said, errors = process.communicate(timeout=600)
    found = json.loads(said)
    assert found["ticks"] < found["demo_ticks"]
    (played,) = play_as_told(program, errors, tmp_path)
    assert f"{found['ticks']} ticks" in played and f"hash {found['hash']}" in played
    assert "the same" in played


def test_manifests_have_the_keys_that_kubernetes_requires():
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load_all((EXAMPLES / "indexed-job.yml").read_text())
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    assert job["spec"]["completionMode"] == "Indexed"
    pod = job["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    (text,) = pod["containers"][0]["args"]
    words = text.split()
    tries, size = (int(words[words.index(name) + 1]) for name in ("--tries", "--size"))
    assert tries == size * job["spec"]["completions"]
    (ray,) = yaml.safe_load_all((EXAMPLES / "kuberay.yml").read_text())
    assert (ray["apiVersion"], ray["kind"]) == ("ray.io/v1", "RayJob")
    cluster = ray["spec"]["rayClusterSpec"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for group in groups:
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        assert group["template"]["spec"]["containers"][0]["image"]
    for group in cluster["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    options = " ".join([text, ray["spec"]["entrypoint"]])
    help_text = subprocess.run(
        [sys.executable, EXAMPLES / "break_my_level.py", "--help"], capture_output=True, text=True
    ).stdout
    for option in {word for word in options.split() if word.startswith("--")}:
        assert option in help_text, option


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["break_my_level.py", "--entity", "hera"], "error: there is no entity `hera`"),
        (["break_my_level.py", "--level", "brocken"], "brocken: error: no such level; did you mean `broken`?"),
        (["break_my_level.py", "--tries", "0"], "error: --tries and --size must be at least 1"),
        (["break_my_level.py", "--root", "missing"], "missing: error: no such folder"),
        (["break_my_level.py", "--out", "/dev/null/found"], "error: /dev/null/found: Not a directory"),
        (["break_my_level.py", "--results", "missing/pieces"], "error: missing/pieces: No such file or directory"),
        (["sweep_two_tunables.py", "--vary", "platformer.jmp", "1", "2", "--vary", "simulation.gravity", "1", "2"], "platformer.jmp"),
        (["sweep_two_tunables.py", "--steps", "0"], "error: --steps and --ticks must be at least 1"),
        (["sweep_two_tunables.py", "--input", "missing.input"], "error: missing.input: No such file or directory"),
        (["sweep_two_tunables.py", "--vary", "a", "few", "2", "--vary", "b", "1", "2"], "error: could not convert string to float: 'few'"),
        (["learn_crossing.py", "--generations", "0"], "error: --generations must be at least 1"),
        (["faster_run.py", "--entity", "hera"], "error: there is no entity `hera`"),
        (["learn_crossing.py", "--root", "missing"], "missing: error: no such folder"),
        (["faster_run.py", "--demo", "missing.input"], "error: missing.input: No such file or directory"),
    ],
)
def test_wrong_options_of_examples_end_with_a_message_alone(command, says):
    process = start(*command)
    said, errors = process.communicate(timeout=120)
    assert process.returncode in (1, 2) and says in errors, errors
    assert errors.count("error:") == 1, errors
    assert "Traceback" not in errors and said == ""


def test_the_bench_measures_every_environment():
    command = [sys.executable, str(PYTHON / "benches" / "vector.py"), "--worlds", "2", "--rounds", "1"]
    done = subprocess.run([*command, "--seconds", "0.01"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    measured = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len({line["env"] for line in measured}) == len(measured) == 16
    assert sum("single" in line["env"] for line in measured) == 3
    assert all(line["world_steps_per_s"] > 0 for line in measured)

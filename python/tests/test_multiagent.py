"""Two players, for PettingZoo."""

import pytest
from conftest import CROSSING

pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

from hangtime.multiagent import HangtimeParallelEnv  # noqa: E402


def race(**options):
    return HangtimeParallelEnv(CROSSING, "race", **options)


@pytest.mark.parametrize("actions", ["discrete", "continuous"])
def test_the_parallel_api_is_kept(actions):
    parallel_api_test(race(actions=actions, max_ticks=400), num_cycles=300)


def test_seeds_decide_everything():
    parallel_seed_test(lambda: race(max_ticks=400), num_cycles=20)


def test_each_agent_moves_its_own_entity():
    env = race(frame_skip=10)
    seen, _ = env.reset(seed=1)
    assert env.agents == ["one", "two"]
    names = env.observation_names("one")
    x, other = names.index("pos.x (px)"), names.index("two.pos.x (px)")
    assert seen["one"][x] == 60 and seen["two"][x] == 100 and seen["one"][other] == 40
    seen, *_ = env.step({"one": [1, 1, 0, 0, 0], "two": [2, 1, 0, 0, 0]})
    assert seen["one"][x] == 60 and seen["two"][x] > 110
    assert seen["one"][other] == pytest.approx(seen["two"][x] - 60)


def test_an_agent_that_has_ended_leaves_and_the_other_plays_on():
    env = race(frame_skip=4, max_ticks=None)
    env.reset(seed=1)
    jump = [2, 1, 1, 0, 0]
    stay = [1, 1, 0, 0, 0]
    for step in range(400):
        _, rewards, ended, _, _ = env.step({"one": stay, "two": [2, 1, step // 8 % 2, 0, 0]})
        if ended["two"]:
            break
    assert env.agents == ["one"] and ended == {"one": False, "two": True}
    seen, rewards, *_ = env.step({"one": jump})
    assert list(seen) == list(rewards) == ["one"]
    with pytest.raises(ValueError, match="no action for the agent 'one'"):
        env.step({})
    with pytest.raises(ValueError, match="there is no agent 'three'"):
        env.step({"one": jump, "three": jump})
    env.reset()
    assert env.agents == ["one", "two"]


def test_wrong_actions_say_whose_they_are():
    env = race()
    env.reset(seed=1)
    idle = env.idle_action("one")
    with pytest.raises(ValueError, match="the action of the agent 'two' is not in its space"):
        env.step({"one": idle, "two": [3, 1, 0, 0, 0]})
    with pytest.raises(TypeError, match="actions must be a map with the action of each agent"):
        env.step([idle, idle])
    assert env.world.tick == 0


def test_players_are_a_list():
    with pytest.raises(TypeError, match=r"players must be a list of numbers, as in \[1, 2\], not 2"):
        race(players=2)


def test_pictures_and_input_files_are_those_of_the_world():
    env = race(render_mode="rgb_array", records=True, frame_skip=6)
    env.reset(seed=3)
    assert env.render().shape == (360, 640, 3) and env.metadata["render_fps"] == 10
    env.step({"one": [2, 1, 0, 0, 0], "two": env.idle_action("two")})
    assert env.input_file.splitlines()[1:] == ["seed 3", "6 right"]

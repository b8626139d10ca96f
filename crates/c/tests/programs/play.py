"""Plays a level with the lines of an input file through the C library, and prints the hash.

play.py LIBRARY FOLDER LEVEL INPUTS TICKS
"""

import ctypes
import json
import re
import sys
from ctypes import byref, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64

ABI = 1


class Input(ctypes.Structure):
    _fields_ = [
        ("held", c_uint32),
        ("pressed", c_uint32),
        ("stick", c_double * 2),
        ("aim", c_double * 2),
        ("aims", c_uint32),
    ]


class View(ctypes.Structure):
    _fields_ = [
        ("id", c_uint32),
        ("player", c_uint32),
        ("pos", c_double * 3),
        ("vel", c_double * 3),
        ("external", c_double * 3),
        ("size", c_double * 2),
        ("angle", c_double),
        ("spin", c_double),
        ("facing", c_int32),
        ("grounded", c_uint32),
    ]


library, folder, level, inputs, ticks = sys.argv[1:]
hangtime = ctypes.CDLL(library)
hangtime.hangtime_last_error.restype = c_char_p
assert hangtime.hangtime_abi() == ABI


def check(status: int) -> None:
    if status != 0:
        sys.exit(hangtime.hangtime_last_error().decode())


world = c_uint64()
check(hangtime.hangtime_open(c_uint32(ABI), folder.encode(), level.encode(), c_uint64(0), byref(world)))
with open(inputs, "rb") as file:
    check(hangtime.hangtime_inputs(world, file.read()))
check(hangtime.hangtime_step(world, None, c_size_t(0), c_uint64(int(ticks))))
played = c_uint64()
check(hangtime.hangtime_hash(world, byref(played)))

needed = c_size_t()


def read(call) -> dict:
    call(world, None, c_size_t(0), byref(needed))
    text = ctypes.create_string_buffer(needed.value)
    check(call(world, text, needed, byref(needed)))
    return json.loads(text.value)


# The scene has the solids of the level's file.
with open(f"{folder}/{level}") as file:
    drawn = re.findall(r'\[\[solid\]\]\nname = "(.+?)"', file.read())
solids = {solid["name"]: solid for solid in read(hangtime.hangtime_scene)["stage"]["solids"]}
assert list(solids) == drawn
assert sorted(solids["ledge"]["points"]) == [[220, 90], [220, 104], [340, 90], [340, 104]]

# The line of a trace says the same as the numbers.
line = read(hangtime.hangtime_line)
views = (View * 256)()
check(hangtime.hangtime_views(world, views, c_size_t(256), byref(needed)))
assert [list(view.pos) for view in views[: needed.value]] == [entity["pos"] for entity in line["entities"]]

# A second to the right, with a jump.
jump, right = c_uint32(), c_uint32()
check(hangtime.hangtime_action(world, b"jump", byref(jump)))
check(hangtime.hangtime_action(world, b"right", byref(right)))
held = Input(held=jump.value | right.value)
before = views[0].pos[0]
check(hangtime.hangtime_step(world, byref(held), c_size_t(1), c_uint64(60)))
check(hangtime.hangtime_views(world, views, c_size_t(256), byref(needed)))
check(hangtime.hangtime_free(world))
print(f"{played.value:016x} {needed.value} entities, then {views[0].pos[0] - before:+.1f}")

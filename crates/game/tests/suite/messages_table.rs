//! Mistakes with the whole message about each.

/// Where a message comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// `hangtime check`.
    Check,
    /// Loading the level.
    Load,
    /// The script, when it runs.
    Run,
}
use Source::{Check, Load, Run};

/// A file with a mistake, and the whole message of each source that reports it.
pub struct MessageCase {
    pub file: &'static str,
    pub text: &'static str,
    pub said: &'static [(&'static [Source], &'static str)],
}

const HERO: &str = "scripts/hero.rhai";
pub const KIND: &str = "config/entities/hero.toml";
pub const LEVEL: &str = "levels/level.toml";
const TEST: &str = "levels/tests/a.rhai";

#[rustfmt::skip]
pub const CASES: &[MessageCase] = &[
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    this.n = this.list[floor(me.x)];\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:24: error: an index must be a whole number, and this one has a decimal point; write `[to_int(…)]`
  |
2 |     this.n = this.list[floor(me.x)];
  |                        ^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    for i in 0..2.5 { this.n = i; }\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:15: error: a range needs whole numbers; write `to_int(…)`
  |
2 |     for i in 0..2.5 { this.n = i; }
  |               ^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "script = \"hero.rhai\"\n\n[platformer]\njump_speed = 500\nvars = { n = 0 }\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:5:1: error: unknown key `vars`; it belongs above `[platformer]`
  |
5 | vars = { n = 0 }
  | ^^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "[vars]\nn = 0\nscript = \"hero.rhai\"\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:3:1: warning: below `[vars]` this is a variable; to set the key `script`, write it above the header
  |
3 | script = \"hero.rhai\"
  | ^^^^^^",
        )],
    },
    MessageCase {
        file: LEVEL,
        text: "[[solid]]\npoints = [[-9, -9], [9, -9], [9, 0]]\ngravity = 900\n",
        said: &[(
            &[Check, Load],
            "levels/level.toml:3:1: error: unknown key `gravity`; it is a key of the level and belongs above its first header
  |
3 | gravity = 900
  | ^^^^^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "[platformer]\naccel = 3\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:2:1: error: unknown key `accel`; it belongs to `two_velocity`, not to `platformer`
  |
2 | accel = 3
  | ^^^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "run_accel = 500\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:1:1: error: unknown key `run_accel`; it belongs in the table of a model: `[platformer]`
  |
1 | run_accel = 500
  | ^^^^^^^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "model = nil\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:1:9: error: TOML has no `nil`; leave the key out
  |
1 | model = nil
  |         ^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "vars = { home = { vec = [3, \"4\"] } }\n",
        said: &[(
            &[Check, Load],
            "config/entities/hero.toml:1:25: error: a vec has two or three finite numbers, as in `{ vec = [0, 100] }`
  |
1 | vars = { home = { vec = [3, \"4\"] } }
  |                         ^^^^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    this.n = this.list.x;\n}\n",
        said: &[(
            &[Run],
            "scripts/hero.rhai:2:24: error: an array has no `x`; read `[0]` or `[1]`, or make it a vec: `vec(x, y)`, in TOML `{ vec = [x, y] }`
  |
2 |     this.n = this.list.x;
  |                        ^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    this.n = Math.abs(-3);\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:14: error: there is no variable `Math`; use `abs(…)`
  |
2 |     this.n = Math.abs(-3);
  |              ^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    me.vel = Vector2(3, 4);\n}\n",
        said: &[
            (
                &[Check],
                "scripts/hero.rhai:2:14: error: there is no function `Vector2`; use `vec(x, y)`
  |
2 |     me.vel = Vector2(3, 4);
  |              ^^^^^^^",
            ),
            (
                &[Run],
                "scripts/hero.rhai:2:14: error: there is no function `Vector2(number, number)`; use `vec(x, y)`
  |
2 |     me.vel = Vector2(3, 4);
  |              ^^^^^^^",
            ),
        ],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    me.vel = new Vector2(3, 4);\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:2:14: error: 'new' is a reserved keyword; leave `new` out, as in `vec(1, 2)`
  |
2 |     me.vel = new Vector2(3, 4);
  |              ^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    if this.goal == nil { this.n = 1; }\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:2:21: error: 'nil' is a reserved keyword; write `()` for no value
  |
2 |     if this.goal == nil { this.n = 1; }
  |                     ^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    if this.goal == None { this.n = 1; }\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:21: error: there is no variable `None`; use `()` for no value
  |
2 |     if this.goal == None { this.n = 1; }
  |                     ^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    speed = 3;\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:5: error: there is no variable `speed`; declare it with `let speed = …`, or store it as `this.speed`
  |
2 |     speed = 3;
  |     ^^^^^",
        )],
    },
];

#[rustfmt::skip]
pub const MORE_CASES: &[MessageCase] = &[
    MessageCase {
        file: HERO,
        text: "fn update(dt) {\n    this.n += 1;\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:1:4: warning: nothing calls `update`; did you mean the hook `on_tick`?
  |
1 | fn update(dt) {
  |    ^^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn _process(delta) {\n    this.n += 1;\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:1:4: warning: nothing calls `_process`; did you mean the hook `on_tick`?
  |
1 | fn _process(delta) {
  |    ^^^^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    switch this.n {\n        case 0: this.n = 1; break;\n    }\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:3:9: error: a `switch` has no `case`; write `switch x { 1 => …, _ => … }`
  |
3 |         case 0: this.n = 1; break;
  |         ^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    if me.is_on_floor() { me.jump(); }\n}\n",
        said: &[
            (
                &[Check],
                "scripts/hero.rhai:2:11: error: there is no function `is_on_floor`; use `me.grounded`
  |
2 |     if me.is_on_floor() { me.jump(); }
  |           ^^^^^^^^^^^",
            ),
            (
                &[Run],
                "scripts/hero.rhai:2:11: error: there is no function `is_on_floor(me)`; use `me.grounded`
  |
2 |     if me.is_on_floor() { me.jump(); }
  |           ^^^^^^^^^^^",
            ),
        ],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    this.n = this.list.length;\n}\n",
        said: &[(
            &[Run],
            "scripts/hero.rhai:2:24: error: there is no property `length` here; write `.len()`
  |
2 |     this.n = this.list.length;
  |                        ^^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    me.vars.n += 1;\n}\n",
        said: &[
            (
                &[Check],
                "scripts/hero.rhai:2:8: error: `me` has no `vars`; use `this`, which holds this script's variables
  |
2 |     me.vars.n += 1;
  |        ^^^^",
            ),
            (
                &[Run],
                "scripts/hero.rhai:2:8: error: there is no property `vars` here; use `this`, which holds this script's variables
  |
2 |     me.vars.n += 1;
  |        ^^^^",
            ),
        ],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    let near = [\"lake\"].filter(|zone| zone != this.home);\n}\n",
        said: &[(
            &[Check, Run],
            "scripts/hero.rhai:2:47: error: `this` is not available inside a closure; read its variables into a `let` before it; to change them, write a `for` loop or a function called as `this.helper()`
  |
2 |     let near = [\"lake\"].filter(|zone| zone != this.home);
  |                                               ^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    me.after(1, || me.jump());\n}\n",
        said: &[(
            &[Load],
            "scripts/hero.rhai:2:20: error: this closure uses `me` while a method of `me` runs; take it as a parameter, as in `|me| …`
  |
2 |     me.after(1, || me.jump());
  |                    ^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    let speed = 3 // px/s\n\n    // faster\n    this.n = speed;\n}\n",
        said: &[(
            &[Check, Load],
            "scripts/hero.rhai:2:18: error: a `;` is missing after this statement
  |
2 |     let speed = 3 // px/s
  |                  ^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn can_grab(me, hit) { false; }\n",
        said: &[(
            &[Check],
            "scripts/hero.rhai:1:24: warning: `can_grab` returns this value, although a `;` follows it; remove the `;`, or add `()` after it to return nothing
  |
1 | fn can_grab(me, hit) { false; }
  |                        ^^^^^",
        )],
    },
    MessageCase {
        file: KIND,
        text: "script = \"hero.rhai\"\nmodel = \"platformer\"\n\n[topdown]\nfriction = 3\n",
        said: &[(
            &[Check],
            "config/entities/hero.toml:4:2: warning: `topdown` has no effect: entities of this kind move by `platformer`
  |
4 | [topdown]
  |  ^^^^^^^",
        )],
    },
    MessageCase {
        file: LEVEL,
        text: "vars = { coins = 0 }\n[[solid]]\npoints = [[-9, -9], [9, -9], [9, 0]]\n",
        said: &[(
            &[Check, Load],
            "levels/level.toml:1:8: warning: nothing reads these variables: the level has no `script`
  |
1 | vars = { coins = 0 }
  |        ^^^^^^^^^^^^^",
        )],
    },
    MessageCase {
        file: LEVEL,
        text: "[[solid]]\npoints = [[-99, -99], [99, -99], [99, 0], [-99, 0]]\n[[entity]]\nkind = \"hero\"\nat = [0, -10]\n",
        said: &[(
            &[Check, Load],
            "levels/level.toml:5:6: warning: this is inside a solid; the entity starts at [0, 19] instead
  |
5 | at = [0, -10]
  |      ^^^^^^^^",
        )],
    },
    MessageCase {
        file: LEVEL,
        text: "[[solid]]\npoints = [[-99, -99], [99, -99], [99, 0], [-99, 0]]\n[[entity]]\nkind = \"hero\"\nat = [0, -200]\n",
        said: &[(
            &[Check, Load],
            "levels/level.toml:5:6: warning: this is below all solids, so the entity falls out of the level; y points up
  |
5 | at = [0, -200]
  |      ^^^^^^^^^",
        )],
    },
    MessageCase {
        file: LEVEL,
        text: "[[solid]]\npoints = [[0, 0], [10, 10], [10, 0], [0, 10]]\n",
        said: &[(
            &[Check, Load],
            "levels/level.toml:2:29: error: the outline crosses or touches itself: the edges from points 1 and 3 meet
  |
2 | points = [[0, 0], [10, 10], [10, 0], [0, 10]]
  |                             ^^^^^^^",
        )],
    },
    MessageCase {
        file: TEST,
        text: "fn test_it() {\n    expect(3).toBe(3);\n}\n",
        said: &[(
            &[Check],
            "levels/tests/a.rhai:2:15: error: there is no function `toBe`; use `.equals(…)`
  |
2 |     expect(3).toBe(3);
  |               ^^^^",
        )],
    },
    MessageCase {
        file: TEST,
        text: "fn test_it() {\n    let t = play(\"level.toml\");\n    t.run(1);\n}\n",
        said: &[(
            &[Check],
            "levels/tests/a.rhai:1:4: warning: `test_it` has no `expect`, so it passes whatever the level does
  |
1 | fn test_it() {
  |    ^^^^^^^",
        )],
    },
    MessageCase {
        file: HERO,
        text: "fn on_tick(me) {\n    this.n = cos(90);\n}\n",
        said: &[(
            &[Check],
            "scripts/hero.rhai:2:18: warning: `cos` takes radians; for 90 degrees, write `cos(90 * PI() / 180)`, for radians `90.0`
  |
2 |     this.n = cos(90);
  |                  ^^",
        )],
    },
];

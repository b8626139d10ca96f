//! Mistakes that would stay silent, in both languages: `check` warns of each at its place, with the way out, and says
//! nothing of the same files without the mistake.

use super::on_large_stack;
use crate::folder::{Folder, LEVEL};
use hangtime_game::check;
use hangtime_script::{Diagnostic, Severity, calls::ForeignCalls};

/// A script with `§` on both sides of what is wrong, a part of the message, and the script without the mistake.
type Script = (&'static str, &'static str, &'static str);

const RHAI: &str = "scripts/hero.rhai";
const LUA: &str = "scripts/hero.luau";
const KIND: &str = "config/entities/hero.toml";

const W: Severity = Severity::Warning;
const E: Severity = Severity::Error;

/// The model of the hero, how bad it is, and the script in Rhai and in Lua.
#[rustfmt::skip]
const SCRIPTS: &[(&str, Severity, [Script; 2])] = &[
    // Slips of hooks' names are errors: a swap, a missing and a doubled letter.
    ("platformer", E, [("fn §on_lnad§(me) { this.n = 1; }", "did you mean `on_land(me)`", "fn on_land(me) { this.n = 1; }"),
        ("function §on_lnad§(me) vars.n = 1 end", "did you mean `on_land(me)`", "function on_land(me) vars.n = 1 end")]),
    ("platformer", E, [("fn §on_lan§(me) { this.n = 1; }", "did you mean `on_land(me)`", "fn on_land(me) { this.n = 1; }"),
        ("function §on_lan§(me) vars.n = 1 end", "did you mean `on_land(me)`", "function on_land(me) vars.n = 1 end")]),
    ("platformer", E, [("fn §on_laand§(me) { this.n = 1; }", "did you mean `on_land(me)`", "fn on_land(me) { this.n = 1; }"),
        ("function §on_laand§(me) vars.n = 1 end", "did you mean `on_land(me)`", "function on_land(me) vars.n = 1 end")]),
    // Other names are those of one's own events.
    ("platformer", W, [("fn §on_bite§(me) { this.n = 1; }", "as no event has this name; did you mean `on_birth(me)`", "fn on_bite(me) { this.n = 1; }\nfn on_land(me) { world::emit(\"bite\"); }"),
        ("function §on_bite§(me) vars.n = 1 end", "as no event has this name; did you mean `on_birth(me)`", "function on_bite(me) vars.n = 1 end\nfunction on_land(me) world.emit('bite') end")]),
    ("platformer", W, [("fn §on_explosion§(me) { this.n = 1; }", "as no event has this name", "fn on_explosion(me) { this.n = 1; }\nfn on_land(me) { world::emit(\"explosion\"); }"),
        ("function §on_explosion§(me) vars.n = 1 end", "as no event has this name", "function on_explosion(me) vars.n = 1 end\nfunction on_land(me) world.emit('explosion') end")]),
    // What the body of this model does not have.
    ("platformer", W, [("fn §on_hit§(me) { this.n = 1; }", "is never called: entities with this script move by `platformer`; it is for `vessel` and `ballistic`", "fn on_land(me) { this.n = 1; }"),
        ("function §on_hit§(me) vars.n = 1 end", "is never called: entities with this script move by `platformer`", "function on_land(me) vars.n = 1 end")]),
    ("ballistic", W, [("fn on_tick(me) { me.§jump§(); }", "has no effect: entities with this script move by `ballistic`", "fn on_tick(me) { me.push(0, 9); }"),
        ("function on_tick(me) me:§jump§() end", "has no effect: entities with this script move by `ballistic`", "function on_tick(me) me:push(0, 9) end")]),
    ("ballistic", W, [("fn on_tick(me) { me.§hold§(\"right\"); }", "has no effect", "fn on_tick(me) { if me.held(\"right\") { me.push(9, 0); } }"),
        ("function on_tick(me) me:§hold§('right') end", "has no effect", "function on_tick(me) if me:held('right') then me:push(9, 0) end end")]),
    ("vessel", W, [("fn on_tick(me) { me.§fire_hook§(3, 4); }", "it is for `platformer`", "fn on_hit(me) { me.push(3, 4); }"),
        ("function on_tick(me) me:§fire_hook§(3, 4) end", "it is for `platformer`", "function on_hit(me) me:push(3, 4) end")]),
    ("platformer", W, [("fn on_tick(me) { me.§tune§(\"ballistic.gravity_scale\", 2); }", "it is for `ballistic`", "fn on_tick(me) { me.tune(\"platformer.gravity_scale\", 2); }"),
        ("function on_tick(me) me:§tune§('ballistic.gravity_scale', 2) end", "it is for `ballistic`", "function on_tick(me) me:tune('platformer.gravity_scale', 2) end")]),
    // Data of events, rays, shares.
    ("platformer", W, [("fn on_land(me) { world::emit(\"slam\", #{ speed: 3, at: #{ x: 1 } }); }\nfn on_slam(me, event) { this.n = event.data.§sped§; }", "`slam` is never emitted with `sped`; did you mean `speed`?", "fn on_land(me) { world::emit(\"slam\", #{ speed: 3, at: #{ x: 1 } }); }\nfn on_slam(me, event) { this.n = event.data.at.x; }"),
        ("function on_land(me) world.emit('slam', { speed = 3, at = { x = 1 } }) end\nfunction on_slam(me, event) vars.n = event.data.§sped§ end", "`slam` is never emitted with `sped`; did you mean `speed`?", "function on_land(me) world.emit('slam', { speed = 3, at = { x = 1 } }) end\nfunction on_slam(me, event) vars.n = event.data.at.x end")]),
    ("platformer", W, [("fn on_tick(me) { this.n = world::cast(me.x, me.y, §0, -30§); }", "write `me.x, me.y - 30`", "fn on_tick(me) { this.n = world::cast(me.x, me.y, me.x, me.y - 30); }"),
        ("function on_tick(me) vars.n = world.cast(me.x, me.y, §0, -30§) end", "write `me.x, me.y - 30`", "function on_tick(me) vars.n = world.cast(me.x, me.y, 0.0, -30.0) end")]),
    ("platformer", W, [("fn on_tick(me) { this.n = world::cast(me.x, me.y, §30 * me.facing, 0§); }", "write `me.x + 30 * me.facing, me.y`", "fn on_tick(me) { this.n = world::cast(me.x, me.y, 400.0, 200.0); }"),
        ("function on_tick(me) vars.n = world.cast(me.x, me.y, §30 * me.facing, 0§) end", "write `me.x + 30 * me.facing, me.y`", "function on_tick(me) vars.n = world.cast(0, 0, 400, 0) end")]),
    ("platformer", E, [("fn on_tick(me) { world::sound(§\"ping\"§); }", "`ping = \"ping.wav\"` below `[sounds]`", "fn on_tick(me) { me.jump(); }"),
        ("function on_tick(me) world.sound(§'ping'§) end", "`ping = \"ping.wav\"` below `[sounds]`", "function on_tick(me) me:jump() end")]),
    ("platformer", E, [("fn on_tick(me) { me.sprite(\"a\", 0, 0, §\"cat.png\"§); }", "put the file into `pictures/`", "fn on_tick(me) { me.jump(); }"),
        ("function on_tick(me) me:sprite('a', 0, 0, §'cat.png'§) end", "put the file into `pictures/`", "function on_tick(me) me:jump() end")]),
    ("platformer", W, [("fn on_tick(me) { me.bar(\"hp\", 0, 30, §80§); }", "a bar is full at 1", "fn on_tick(me) { me.bar(\"hp\", 0, 30, 0.8); }"),
        ("function on_tick(me) me:bar('hp', 0, 30, §80§) end", "a bar is full at 1", "function on_tick(me) me:bar('hp', 0, 30, 0.8) end")]),
];

/// Mistakes of Lua alone.
#[rustfmt::skip]
const IN_LUA: &[(Severity, Script)] = &[
    (W, ("local function §on_tick§(me) vars.n = 1 end", "is never called: a hook is global", "local function on(me) vars.n = 1 end\nfunction on_tick(me) on(me) end")),
    (W, ("local Hero = {}\nfunction Hero:§on_tick§(me) vars.n = 1 end", "is never called: a hook is global", "function on_tick(me) vars.n = 1 end")),
    (W, ("function §jump_windows§(me) local w = { coyote_time = 0.2 } end", "answers nothing; end it with `return`", "function jump_windows(me) return { coyote_time = 0.2 } end")),
    (W, ("function on_land(me, event) vars.n = event.§sped§ end", "has no field `sped`; did you mean `speed`?", "function on_land(me, event) vars.n = event.speed end")),
    (W, ("function on_touch(me, event) if event.kind == §'heor'§ then vars.n = 1 end end", "there is no kind `heor`; did you mean `hero`?", "function on_touch(me, event) if event.kind == 'hero' then vars.n = 1 end end")),
    (W, ("function on_touch(me, event) vars.n = event.§other§.x end", "`other` is a name; `world.entity(event.other)` is the entity", "function on_touch(me, event) vars.n = world.entity(event.other).x end")),
    (W, ("function on_tick(me) local list = { 3 } vars.n = list[§0§] end", "lists begin at 1", "function on_tick(me) local list = { 3 } vars.n = list[1] end")),
    (E, ("function on_land(me) me:after(§'1'§, 'later') end\nfunction on_later(me) vars.n = 1 end", "must be a number, not text", "function on_land(me) me:after(1, 'later') end\nfunction on_later(me) vars.n = 1 end")),
    (E, ("function on_land(me) me:after(1, §function§() me:jump() end) end", "must be a value, not a function", "function on_land(me) me:after(1, 'later') end\nfunction on_later(me) me:jump() end")),
    (W, ("local §on_tick§ = function(me) vars.n = 1 end", "is never called: a hook is global", "local on = function(me) vars.n = 1 end\nfunction on_tick(me) on(me) end")),
    (E, ("function on_tick(me) me.vel = §{§0, 300} end", "must be a vec, as in `vec(0, 300)`", "function on_tick(me) me.vel = vec(0, 300) end")),
    (W, ("function on_tick(me) if me.zones.§water§ then me:jump() end end", "a list has no `water`; `table.find(list, \"water\") ~= nil`", "function on_tick(me) if table.find(me.zones, 'water') ~= nil then me:jump() end end\nfunction zone(me) return me.zones[1] end")),
    (E, ("function on_tick(me) §self§.n = 1 end", "there is no `self`; the entity is `me`", "local list = {}\nfunction list:add() self.n = 1 end\nfunction on_tick(me) vars.n = me.x end")),
    (E, ("function on_tick(me) vars.n = math.abs(math.§clam§(me.x, 0, 1)) end", "`math` has no `clam`; did you mean `clamp`?", "function on_tick(me) vars.n = math.clamp(me.x, 0, 1) end")),
    (E, ("function on_tick(me) vars.n = string.§length§('a') end", "the length of a text is `#text`", "function on_tick(me) vars.n = string.len('a') end")),
    (E, ("function on_tick(me) vars.n = table.§push§({}, 1) end", "`table` has no `push`", "function on_tick(me) local table = { push = 1 } vars.n = table.push end")),
    (W, ("function on_tick(me) if vars.§zebra§ > 3 then vars.n = 1 end end", "`vars.zebra` is never set", "function on_tick(me) if vars.n > 3 and not vars.zebra then vars.n = 1 end end")),
    (E, ("local state = { n = 0 }\nfunction on_tick(me) §state§.n += 1 end", "cannot be changed later, as it is not saved", "local state = { n = 0 }\nstate.n = 2\nfunction on_tick(me) local state = { n = state.n } state.n += 1 vars.n = state.n end")),
    (E, ("function on_tick(me) vars.hops = 1 vars.n = me.§hops§ end", "use `vars.hops`", "function on_tick(me) vars.hops = 1 vars.n = vars.hops end")),
    (E, ("function on_tick(me) if me:§is_held§('jump') then vars.n = 1 end end", "use `me.held(action)`", "function on_tick(me) if me:held('jump') then vars.n = 1 end end")),
    (E, ("function on_land(me) §warn§('hot') end", "use `print(…)`", "function on_land(me) print('hot') end")),
    (W, ("function on_land(me) me:remove() §wait§(0.2) world.restart() end", "this never continues", "function on_land(me) if me.x > 1 then me:remove() return end wait(0.2) world.restart() end")),
    (W, ("function on_tick(me) local §vars§ = { n = 1 } print(vars.n) end", "hides the entity's variables", "function on_tick(me) local own = { n = 1 } print(own.n) end")),
    (W, ("function on_tick(me) if vars.§zebra§ == 3 then vars.n = 1 end end", "`vars.zebra` is never set", "function on_tick(me) if vars.zebra == nil then vars.n = 1 end end")),
    (W, ("function help() return 1 end\nfunction §help§() return 2 end\nfunction on_tick(me) vars.n = help() end", "is defined twice", "function help() return 1 end\nfunction on_tick(me) vars.n = help() end")),
    (W, ("function on_touch(me, event) local other = event.other if me.x < §other§.x then vars.n = 1 end end", "`world.entity(other)` is the entity", "function on_touch(me, event) local other = world.entity(event.other) if me.x < other.x then vars.n = 1 end end")),
    (W, ("local states = { run = {}, dash = {} }\nfunction states.run.tick(me) vars.state = §'dsh'§ end\nfunction on_tick(me) states[vars.state].tick(me) end", "`states` has no state `dsh`; did you mean `dash`?", "local states = { run = {}, dash = {} }\nfunction states.run.tick(me) vars.state = 'dash' end\nfunction on_tick(me) states[vars.state].tick(me) end")),
    (W, ("local states = { run = {}, dash = {} }\nlocal function become(me, name) vars.state = name end\nfunction states.run.tick(me) become(me, §'rnu'§) end\nfunction on_tick(me) states[vars.state].tick(me) end", "`states` has no state `rnu`; did you mean `run`?", "local states = { run = {} }\nlocal function become(me, name) vars.state = name end\nfunction states.run.tick(me) become(me, 'run') become(me, me.kind) end\nfunction on_tick(me) states[vars.state].tick(me) end")),
    (W, ("local states = { run = {} }\nfunction states.run.tick(me) vars.state = 'run' end\nfunction states.run.§tik§(me) end\nfunction on_tick(me) states[vars.state].tick(me) end", "nothing calls `tik` of a state; did you mean `tick`?", "local states = { run = {} }\nfunction states.run.tick(me) vars.state = 'run' end\nfunction states.run.leave(me) end\nfunction on_tick(me) local now = states[vars.state] now.tick(me) if now.leave then now.leave(me) end end")),
    (E, ("function §on_land§(event, me) me:jump() end", "`me` comes first", "function on_land(me, event) me:jump() end")),
];

/// Mistakes of Rhai alone.
#[rustfmt::skip]
const IN_RHAI: &[(Severity, Script)] = &[
    (W, ("fn on_tick(me) { me.bar(\"hp\", 0, 30, §this§.n / 3); }", "write `this.n * 1.0 / 3`", "fn on_tick(me) { me.bar(\"hp\", 0, 30, this.n * 1.0 / 3); me.bar(\"b\", 0, 40, this.n / 3.0); }")),
    (W, ("fn add(list, item) { §list§.push(item); }\nfn on_land(me) { this.n = []; add(this.n, 3); }", "`list` is a copy of what is passed, and never read; return it", "fn add(list, item) { list.push(item); list }\nfn on_land(me) { this.n = []; this.n = add(this.n, 3); }")),
    (W, ("fn on_land(me) { let list = this.n ?? []; §list§.push(3); }", "add `this.n = list;`", "fn on_land(me) { let list = this.n ?? []; list.push(3); this.n = list; }")),
    (W, ("fn on_birth(me) { this.n = [#{ c: 0 }]; }\nfn on_land(me) { for one in this.n { §one§.c += 1; } }", "write `this.n[i]` in `for i in 0..this.n.len()`", "fn on_birth(me) { this.n = [#{ c: 0 }]; }\nfn on_land(me) { for i in 0..this.n.len() { this.n[i].c += 1; } }")),
    (E, ("fn on_tick(me) { me.note(\"x\" §..§ me.x); }", "join text with `+`", "fn on_tick(me) { me.note(\"x\" + me.x); }")),
    (E, ("fn on_tick(me) { me§:§jump(); }", "write a dot before what is called, as in `me.jump()`", "fn on_tick(me) { me.jump(); }")),
    (E, ("fn on_tick(me) { if !\"wind\" §in§ me.zones { this.n = 1; } }", "write `a !in list`", "fn on_tick(me) { if \"wind\" !in me.zones { this.n = 1; } }")),
    (E, ("fn on_tick(me) { if §\"§wind\" not in me.zones { this.n = 1; } }", "write `a !in list`", "fn on_tick(me) { if \"wind\" !in me.zones { this.n = 1; } }")),
    (E, ("fn on_tick(me) { switch this.n { 1§:§ me.jump(); } }", "write a case of a `switch` as `1 => …`", "fn on_tick(me) { switch this.n { 1 => me.jump() } }")),
    (E, ("class §Hero§ { }", "functions at the top of the file", "fn on_tick(me) { me.jump(); }")),
    (E, ("fn on_tick(me) { §yield§(2); }", "`wait(2.0)` continues a function later", "fn on_land(me) { wait(2.0); me.jump(); }")),
    (E, ("export §var§ speed = 3;\nfn on_tick(me) { }", "constants declared with `const`", "const SPEED = 3;\nfn on_tick(me) { me.push(SPEED, 0); }")),
];

/// Files with `§` on both sides of what is wrong, a part of the message, and the file without the mistake.
#[rustfmt::skip]
const FILES: &[(&str, &str, &str, &str)] = &[
    ("levels/more.toml", "gravity = §9.81§\n", "gravity is in px/s², so 9.81 hardly pulls", "gravity = 981\n"),
    ("config/hangtime.toml", "[simulation]\ngravity = §9.8§\n", "gravity is in px/s²", "[simulation]\ngravity = 980\n"),
    ("levels/more.toml", "[[solid]]\npoints = [[300, 100], [360, 100], [360, 80], [300, 80]]\npath = { points = [§[300, 100]§, [300, 200]], speed = 60 }\n", "begin with [0, 0]", "[[solid]]\npoints = [[300, 100], [360, 100], [360, 80], [300, 80]]\npath = { points = [[0, 0], [0, 100]], speed = 60 }\n"),
    ("levels/more.toml", "[[solid]]\npoints = [[0, 100], [60, 100], [60, 80], [0, 80]]\npath = { points = [[0, 0], [0, 100]], speed = §0§ }\n", "rests until a script calls", "[[solid]]\npoints = [[0, 100], [60, 100], [60, 80], [0, 80]]\npath = { points = [[0, 0], [0, 100]], speed = 1 }\n"),
    ("levels/more.toml", "[[solid]]\npoints = [[0, 100], [60, 100], [60, 80], [0, 80]]\npath = { points = §[§[5, 5], [5, 5]], speed = 60 }\n", "never moves", "[[solid]]\npoints = [[0, 100], [60, 100], [60, 80], [0, 80]]\npath = { points = [[5, 5], [5, 6]], speed = 60 }\n"),
    ("levels/more.toml", "bounds = [-50, -50, 50, 50]\n[[entity]]\nkind = \"hero\"\nat = §[§90, 19]\nplayer = 1\n", "outside of the level's `bounds`", "bounds = [-50, -50, 50, 50]\n[[entity]]\nkind = \"hero\"\nat = [40, 19]\nplayer = 1\n"),
    ("levels/more.toml", "§[[entity]]§\nkind = \"hero\"\nat = [0, 19]\nplayer = 2\n", "give one of them `player = 1`", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = true\n"),
    ("levels/more.toml", "§[[entity]]§\nkind = \"hero\"\nat = [0, 19]\n", "give one of them `player = 1`", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n"),
    ("levels/tests/more.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\n[[entity]]\nkind = \"crate\"\nname = §\"hero\"§\nat = [50, 19]\n", "is called `hero_2` now", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\n[[entity]]\nkind = \"crate\"\nname = \"box\"\nat = [50, 19]\n"),
    (KIND, "// §the§ hero\nscript = \"hero.rhai\"\n", "comments begin with `#`", "# the hero\nscript = \"hero.rhai\"\n"),
    (KIND, "script = \"hero.rhai\"\n[platformer]\njump_speed = 500§,§0\n", "decimal point", "script = \"hero.rhai\"\n[platformer]\njump_speed = 500.0\n"),
];

/// The files of the game that nothing reads or uses, and a part of the message.
const UNREAD: &[(&str, &str, &str)] = &[
    (
        "tests/a.rhai",
        "fn test_it() { expect(1).equals(1); }",
        "tests: warning: nothing reads this folder; did you mean `levels/tests/`?",
    ),
    ("configs/entities/cat.toml", "", "configs: warning: nothing reads this folder; did you mean `config/`?"),
    ("script/a.rhai", "fn on_tick(me) { }", "script: warning: nothing reads this folder; did you mean `scripts/`?"),
    ("levles/a.toml", "", "levles: warning: nothing reads this folder; did you mean `levels/`?"),
    (
        "config/entity/cat.toml",
        "",
        "config/entity/cat.toml: warning: nothing reads this file; kinds belong in config/entities/",
    ),
    ("scripts/cat.rhai", "fn on_tick(me) { }", "scripts/cat.rhai: warning: nothing names this script"),
    ("scripts/cat.luau", "function on_tick(me) end", "scripts/cat.luau: warning: nothing names this script"),
    ("config/entities/cat.toml", "", "config/entities/cat.toml: warning: no level has an entity of this kind"),
];

/// What is between two marks, and the text without them.
fn marked(text: &str) -> (String, std::ops::Range<usize>) {
    let marks: Vec<usize> = text.match_indices('§').map(|(at, _)| at).collect();
    let [begin, end] = marks[..] else { panic!("two marks in {text}") };
    (text.replace('§', ""), begin..end - '§'.len_utf8())
}

fn said(folder: &Folder) -> Vec<Diagnostic> {
    check(folder.root(), &[], &ForeignCalls::none()).expect("a game").diagnostics
}

/// A game in one of the languages whose hero has this script and moves by this model.
fn game(file: &str, model: &str, script: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEVEL);
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
    let own = file.trim_start_matches("scripts/");
    folder.write(KIND, &format!("script = \"{own}\"\nmodel = \"{model}\"\nvars = {{ n = 0 }}\n"));
    folder.write(file, script);
    folder
}

/// What is wrong with the answer to a mistake, and with the silence about its right twin.
fn judge(
    found: &[Diagnostic],
    twin: &[Diagnostic],
    file: &str,
    (text, severity, part): (&str, Severity, &str),
) -> String {
    let (_, span) = marked(text);
    let is_answer = |it: &&Diagnostic| {
        let here = it
            .place
            .as_ref()
            .is_some_and(|place| place.file.name == file && place.span.start == span.start);
        here && it.severity == severity && it.message.contains(part)
    };
    let lines = |of: &[Diagnostic]| of.iter().map(|it| format!("  {}\n", it.headline())).collect::<String>();
    let mut wrong = String::new();
    if found.iter().filter(is_answer).count() != 1 || found.len() != 1 {
        wrong += &format!("{text}\n  wanted {severity:?} at {span:?}: {part}\n{}", lines(found));
    }
    if !twin.is_empty() {
        wrong += &format!("twin of {text}\n{}", lines(twin));
    }
    wrong
}

#[test]
fn check_warns_of_scripts_that_would_silently_do_nothing() {
    on_large_stack(|| {
        let both = SCRIPTS.iter().flat_map(|(model, severity, [rhai, lua])| {
            [(RHAI, *model, *severity, *rhai), (LUA, *model, *severity, *lua)]
        });
        let in_rhai = IN_RHAI.iter().map(|(severity, script)| (RHAI, "platformer", *severity, *script));
        let mut wrong = String::new();
        let in_lua = IN_LUA.iter().map(|(severity, script)| (LUA, "platformer", *severity, *script));
        for (file, model, severity, (text, part, right)) in both.chain(in_rhai).chain(in_lua) {
            let found = said(&game(file, model, &marked(text).0));
            wrong += &judge(&found, &said(&game(file, model, right)), file, (text, severity, part));
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

#[test]
fn check_warns_of_files_that_would_silently_do_nothing() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for (file, text, part, right) in FILES {
            let with = |text: &str| {
                let folder = game(RHAI, "platformer", "fn on_tick(me) { me.jump(); }");
                if text.contains("crate") {
                    folder.write("config/entities/crate.toml", "");
                }
                folder.write(file, text);
                said(&folder)
            };
            let found = with(&marked(text).0);
            let severity = found.first().map_or(W, |it| it.severity);
            wrong += &judge(&found, &with(right), file, (text, severity, part));
        }
        for (file, text, part) in UNREAD {
            let folder = game(RHAI, "platformer", "fn on_tick(me) { me.jump(); }");
            assert!(said(&folder).is_empty(), "{:?}", said(&folder));
            folder.write(file, text);
            let lines: Vec<String> = said(&folder).iter().map(Diagnostic::headline).collect();
            if lines.len() != 1 || !lines[0].starts_with(part) {
                wrong += &format!("{file}: wanted {part}, got {lines:?}\n");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

#[test]
fn slips_of_hook_names_never_stop_a_game() {
    on_large_stack(|| {
        for (file, script) in [
            (RHAI, "fn on_lnad(me) { }\nfn on_tick(me) { this.n += 1; }"),
            (LUA, "function on_lnad(me) end\nfunction on_tick(me) vars.n += 1 end"),
        ] {
            let folder = game(file, "platformer", script);
            let warnings = folder.wrong();
            assert!(warnings.len() == 1 && warnings[0].contains("warning: nothing calls `on_lnad`"), "{warnings:?}");
            let mut game = folder.game();
            game.ticks(3);
            assert_eq!(game.var("n"), hangtime_core::sim::Value::Int(3), "{file}");
            // Names of one's own are not even that.
            let own = game_without_warning(file);
            assert!(own.wrong().is_empty(), "{:?}", own.wrong());
        }
    });
}

fn game_without_warning(file: &str) -> Folder {
    let names = "cut noise kick pick eaten jumped bite hurt spawn entered crushed tock".split(' ');
    let function = |name: &str| match file {
        RHAI => format!("fn on_{name}(me, event) {{ }}\n"),
        _ => format!("function on_{name}(me, event) end\n"),
    };
    game(file, "platformer", &names.map(function).collect::<String>())
}

/// Copies a folder of the bundled game. Kinds and levels get scripts in Lua if `in_lua` is set.
fn copy(folder: &Folder, from: &std::path::Path, to: &str, in_lua: bool) {
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let name = format!("{to}/{}", entry.file_name().to_string_lossy());
        match entry.path() {
            path if path.is_dir() => copy(folder, &path, &name, in_lua),
            path if path.is_file() => {
                let bytes = std::fs::read(path).expect("a file");
                match String::from_utf8(bytes) {
                    Ok(text) if in_lua => folder.write(&name, &text.replace(".rhai\"", ".luau\"")),
                    Ok(text) => folder.write(&name, &text),
                    Err(other) => folder.write_bytes(&name, other.as_bytes()),
                }
            }
            _ => {}
        }
    }
}

#[test]
fn check_says_nothing_of_the_scripts_of_the_bundled_games() {
    on_large_stack(|| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (scripts, in_lua) in [("scripts", false), ("examples/lua", true)] {
            let folder = Folder::empty();
            copy(&folder, &root.join("config"), "config", in_lua);
            copy(&folder, &root.join("levels"), "levels", in_lua);
            copy(&folder, &root.join(scripts), "scripts", in_lua);
            let found = check(folder.root(), &["scripts".into()], &ForeignCalls::none())
                .expect("a game")
                .diagnostics;
            let found: Vec<String> = found.iter().map(Diagnostic::headline).collect();
            assert!(found.is_empty(), "{found:#?}");
        }
    });
}

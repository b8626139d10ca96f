//! Scripts that spend their whole budget on what costs the most.

use super::{Attack, Game};

const FLOOR: &str = "[[solid]]\npoints=[[-9000,-100],[9000,-100],[9000,0],[-9000,0]]\n\
    [[solid]]\nname=\"door\"\npresent=true\npoints=[[900,0],[920,0],[920,90],[900,90]]\n\
    [[entity]]\nkind=\"stone\"\nat=[8500,19]\n";

/// As many entities as a level can have, with the one next to the floor.
const MOST: usize = 3999;

/// A map with 250 keys of 4,000 characters.
const LONG_KEYS: &str = "let key = \"\"; key.pad(4000, \"k\"); let m = #{}; for i in 0..250 { m[key + i] = i; }";

/// Name, entities, and what the script does. `crowded` in a name adds 750 blocks.
const SCRIPTS: [(&str, usize, &str); 58] = [
    ("an empty tick", 3000, "fn on_tick(me) { }"),
    ("counting", 1000, "fn on_tick(me) { for i in 0..5000 { this.n += 1; } }"),
    ("loops without end", 1000, "fn on_tick(me) { loop { } }"),
    ("recursion", 300, "fn down(n) { down(n + 1) + 1 } fn on_tick(me) { down(0); }"),
    (
        "maps with long keys, nested",
        1,
        "fn on_tick(me) { LONG let all = #{}; for i in 0..60 { all[`a${i}`] = #{ a: m, b: m, c: m, d: m, e: m, f: m }; } }",
    ),
    (
        "maps with long keys, in closures",
        1,
        "fn on_tick(me) { LONG let all = []; for i in 0..1000 { let c = m; all.push(|| c); } }",
    ),
    ("maps with long keys, kept", 100, "fn on_tick(me) { LONG this.m = m; }"),
    (
        "letters of a long text",
        1,
        "fn on_tick(me) { this.s = \"\"; this.s.pad(4096, \"a\"); loop { this.s[4094] = 'x'; } }",
    ),
    (
        "copies of a list in `this`",
        300,
        "fn on_tick(me) { this.a = []; this.a.pad(400, 1); for i in 0..5000 { let b = this.a; } }",
    ),
    (
        "copies of a text in `this`",
        300,
        "fn on_tick(me) { this.a = \"\"; this.a.pad(4000, \"a\"); for i in 0..5000 { let b = this.a; } }",
    ),
    ("copies of `this`", 300, "fn on_tick(me) { this.a = []; this.a.pad(200, 1); for i in 0..5000 { let b = this; } }"),
    ("lists of 1,000", 300, "fn on_tick(me) { let a = []; a.pad(1000, 1); for i in 0..2000 { a[i % 1000] += 1; } }"),
    ("lists in lists", 300, "fn on_tick(me) { let a = [1]; for i in 0..30 { a = [a, a, a]; } }"),
    ("texts that double", 300, "fn on_tick(me) { let a = \"ab\"; for i in 0..30 { a += a; } }"),
    ("texts from lists", 300, "fn on_tick(me) { let a = []; a.pad(900, 1.5); loop { let x = a.to_string(); } }"),
    (
        "texts from maps",
        300,
        "fn on_tick(me) { let a = #{}; for i in 0..200 { a[`k${i}`] = 1.5; } loop { let x = a.to_string(); } }",
    ),
    ("text with values", 300, "fn on_tick(me) { let a = []; a.pad(400, 1); loop { let x = `${a} and ${a}`; } }"),
    (
        "sorting",
        300,
        "fn on_tick(me) { let a = []; for i in 0..900 { a.push((i * 7919) % 900); } loop { a.sort(|x, y| y - x); a.sort(); } }",
    ),
    ("comparing lists", 300, "fn on_tick(me) { let a = []; a.pad(900, 1); let b = a; loop { if a == b { } } }"),
    ("vectors", 1000, "fn on_tick(me) { let v = vec(1, 2); loop { v = (v + v.normalized()).rotated(0.5); } }"),
    (
        "closures",
        300,
        "fn on_tick(me) { let a = []; a.pad(900, 1); loop { let b = a.map(|x| x + 1).filter(|x| x > 1); } }",
    ),
    ("many closures", 300, "fn on_tick(me) { let f = |x| x; loop { f.call(1); } }"),
    ("planned jumps, crowded", 100, "fn on_tick(me) { for i in 0..20 { me.plan_jump(3000, 0, 200 + i); } }"),
    ("short planned jumps, crowded", 100, "fn on_tick(me) { for i in 0..20 { me.plan_jump(0, 0, 20 + i); } }"),
    ("casts, crowded", 300, "fn on_tick(me) { for i in 0..500 { world::cast(-8000, 900, 8000, -50); } }"),
    (
        "rest positions, crowded",
        300,
        "fn on_tick(me) { for i in 0..50 { world::rest_positions(\"one\", -300, 0, 300, 300); } }",
    ),
    (
        "events to hundreds",
        300,
        "fn on_tick(me) { for i in 0..10 { world::emit(\"hey\", [1,2,3,4,5,6,7,8]); } }\nfn on_hey(me, event) { this.n += 1; }",
    ),
    (
        "events to thousands",
        3000,
        "fn on_tick(me) { for i in 0..64 { world::emit(\"hey\", 1); } }\nfn on_hey(me, event) { }",
    ),
    (
        "64 timers each",
        3000,
        "fn on_birth(me) { for i in 0..64 { me.after(80000, \"ring\"); } }\nfn on_tick(me) { this.n += 1; }\nfn on_ring(me) { }",
    ),
    (
        "timers that fire",
        3000,
        "fn on_birth(me) { for i in 0..60 { me.after(0.01 + 0.001 * i, \"ring\"); } }\nfn on_ring(me) { me.after(0.01, \"ring\"); }",
    ),
    ("creations in one place", 1, "fn on_tick(me) { for i in 0..1000 { world::create(\"stone\", me.x, 100); } }"),
    (
        "creations side by side",
        1,
        "fn on_tick(me) { for i in 0..1000 { world::create(\"stone\", -8000 + 15 * i, 100); } }",
    ),
    ("lookups", 1000, "fn on_tick(me) { for i in 0..300 { world::entity(\"missing\"); } }"),
    ("lists of entities", 1000, "fn on_tick(me) { for i in 0..100 { world::all(\"one\"); } }"),
    (
        "tuning",
        300,
        "fn on_tick(me) { for i in 0..60 { me.tune(\"platformer.jump_speed\", 500 + i + world::tick()); } }",
    ),
    ("switching", 300, "fn on_tick(me) { for i in 0..60 { world::set_solid(\"door\", i % 2 == 0); } }"),
    ("thrown lists of vecs", MOST, "fn on_tick(me) { let a = []; a.pad(1000, vec(1, 2)); throw a; }"),
    (
        "thrown maps of vecs",
        MOST,
        "fn on_tick(me) { let a = #{}; for i in 0..100 { a[`k${i}`] = vec(1, 2); } throw a; }",
    ),
    ("calls that are too deep", MOST, "fn down(n) { down(n + 1) + 1 } fn on_tick(me) { down(0); }"),
    ("closures that are too deep", MOST, "fn on_tick(me) { let f = |f, n| f.call(f, n + 1) + 1; f.call(f, 0); }"),
    ("too many vecs in `this`", MOST, "fn on_tick(me) { let a = []; a.pad(510, vec(1, 2)); this.a = a; }"),
    (
        "closures in `this` next to vecs",
        MOST,
        "fn on_birth(me) { let a = []; a.pad(160, vec(1, 2)); this.a = a; } fn on_tick(me) { this.b = |x| x; }",
    ),
    ("printed escapes", 60, "fn on_tick(me) { let s = \"\"; s.pad(4000, \"\\x1b\"); for i in 0..20 { print(s); } }"),
    ("padded vecs", 300, "fn on_tick(me) { loop { let a = []; a.pad(1000, vec(1, 2)); } }"),
    (
        "copies of a list that change",
        300,
        "fn on_tick(me) { let a = []; a.pad(1000, 1); loop { let b = a; b[0] = 1; } }",
    ),
    (
        "copies of vecs that change",
        300,
        "fn on_tick(me) { let a = []; a.pad(1000, vec(1, 2)); loop { let b = a; b[0] = 1; } }",
    ),
    (
        "copies of short texts",
        300,
        "fn on_tick(me) { let a = []; for i in 0..500 { a.push(`k${i}`); } loop { let b = a; } }",
    ),
    ("length of small maps", 300, "fn on_tick(me) { let a = []; a.pad(200, #{ a: 1 }); loop { a.len(); } }"),
    ("length of small lists", 300, "fn on_tick(me) { let a = []; a.pad(300, [1]); loop { a.len(); } }"),
    ("size of a large map", 300, "fn on_tick(me) { MAP loop { m.len(); } }"),
    ("a property of a large map", 300, "fn on_tick(me) { MAP loop { m.k5 += 1; } }"),
    ("an entry of a large map", 300, "fn on_tick(me) { MAP loop { m[\"k5\"] += 1; } }"),
    ("a large map that takes another", 300, "fn on_tick(me) { MAP loop { m.mixin(#{}); } }"),
    (
        "a number next to many variables",
        300,
        "fn on_tick(me) { for i in 0..200 { this[`k${i}`] = 1; } loop { this.n += 1; } }",
    ),
    (
        "a number next to small maps",
        300,
        "fn on_tick(me) { this.a = []; this.a.pad(50, #{ a: 1 }); loop { this.n += 1; } }",
    ),
    (
        "vecs in `this`",
        MOST,
        "fn on_birth(me) { let a = []; a.pad(168, vec(1, 2)); this.a = a; } fn on_tick(me) { this.n += 1; let b = this.a; }",
    ),
    (
        "many variables",
        MOST,
        "fn on_birth(me) { for i in 0..250 { this[`k${i}`] = 1; } } fn on_tick(me) { this.n += this.k1; }",
    ),
    (
        "short texts in `this`",
        MOST,
        "fn on_birth(me) { let a = []; for i in 0..300 { a.push(`k${i}`); } this.a = a; } fn on_tick(me) { this.n += 1; }",
    ),
];

/// A map with 250 entries.
const LARGE_MAP: &str = "let m = #{}; for i in 0..250 { m[`k${i}`] = 1; }";

/// What 4,000 entities keep, as TOML: as much as the limits allow.
const KEPT: [(&str, &str, usize); 5] = [
    ("kept maps of one entry", "{ a = 1 }", 50),
    ("kept maps of twelve entries", "{ a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1, i=1, j=1, k=1, l=1 }", 15),
    ("kept empty maps", "{}", 254),
    ("kept lists of one number", "[1]", 169),
    ("kept names", "\"a text of 24 characters\"", 300),
];

pub fn attacks() -> Vec<Attack> {
    let mut all: Vec<Attack> = SCRIPTS
        .into_iter()
        .map(|(name, count, script)| {
            Attack::new(name, move |game| {
                let head = if name.contains("crowded") { blocks() } else { String::new() };
                players(game, &format!("{FLOOR}{head}"), count);
                game.write("scripts/one.rhai", script.replace("LONG", LONG_KEYS).replace("MAP", LARGE_MAP));
            })
        })
        .collect();
    // Interpreted once and compiled from then on, which is when there are the most copies.
    let script = "fn on_birth(me) { let f = |x| x; this.n += 1; }\nfn on_tick(me) { this.n += 1; let b = this.a; }\n";
    let kept = |name: &'static str, value: String| {
        Attack::new(name, move |game| {
            players(game, FLOOR, MOST);
            game.write("config/entities/one.toml", format!("script = \"one.rhai\"\nvars = {{ n = 0, a = {value} }}\n"));
            game.write("scripts/one.rhai", script);
        })
        .lasting(12)
    };
    all.extend(KEPT.map(|(name, value, count)| kept(name, format!("[{}]", vec![value; count].join(", ")))));
    let entries: Vec<String> = (0..245).map(|i| format!("k{i} = {i}")).collect();
    all.push(kept("a kept map of 245 entries", format!("{{ {} }}", entries.join(", "))));
    all.push(Attack::new("operations without end", |game| {
        players(game, FLOOR, 1);
        game.write("config/hangtime.toml", "[scripts]\noperations = 1000000\ntick_operations = 4000000000\n");
        game.write("scripts/one.rhai", "fn on_tick(me) { let a = []; loop { a.push(1); a.pop(); } }\n");
    }));
    all.push(Attack::new("a test that plays without end", |game| {
        let test = "fn test_a() { let all = []; loop { all.push(play(\"level.toml\")); } }\n";
        game.write("levels/tests/t.rhai", test);
    }));
    all
}

/// Bodies that do not touch each other.
fn players(game: &Game<'_>, head: &str, count: usize) {
    game.write("config/entities/stone.toml", "");
    let bodies = (0..count).map(|i| {
        let (x, y) = (i % 400 * 40, 19 + i / 400 * 60);
        format!("[[entity]]\nkind=\"one\"\nat=[{},{y}]\n", x as i64 - 8000)
    });
    game.level(head, bodies);
}

fn blocks() -> String {
    let block = |i: i32| {
        let (x, y) = (i % 50 * 12 - 300, 120 + i / 50 * 12);
        let (right, top) = (x + 8, y + 8);
        format!("[[solid]]\npoints=[[{x},{y}],[{right},{y}],[{right},{top}],[{x},{top}]]\n")
    };
    (0..750).map(block).collect()
}

//! Many bodies, most of them in one place.

use super::{Attack, Game};

const FLOOR: &str = "[[solid]]\npoints=[[-9000,-100],[9000,-100],[9000,0],[-9000,0]]\n";

/// The numbers of bodies.
const COUNTS: [usize; 4] = [1000, 3000, 4000, 20_000];

/// A vessel with a hull and two feet.
const VESSEL: &str = "model = \"vessel\"\nbody = { pieces = [\
    { points = [[-13, 0], [13, 0], [10, 22], [-10, 22]] }, \
    { points = [[-19, -9], [-11, -9], [-9, 3], [-13, 3]], foot = true }, \
    { points = [[11, -9], [19, -9], [13, 3], [9, 3]], foot = true }] }\n";

pub fn attacks() -> Vec<Attack> {
    let kinds = [
        ("walkers", "side", "model = \"platformer\"\n"),
        ("pushing walkers", "side", "model = \"platformer\"\npushes = true\n"),
        ("characters", "side", "model = \"two_velocity\"\npushes = true\n"),
        ("balls", "side", "model = \"ballistic\"\npushes = true\n"),
        ("vessels", "side", VESSEL),
        ("pushing vessels", "side", "model = \"vessel\"\npushes = true\n"),
        ("top-view walkers", "top", "model = \"topdown\"\n"),
        ("pushing top-view walkers", "top", "model = \"topdown\"\npushes = true\n"),
    ];
    let mut all = Vec::new();
    for (name, view, kind) in kinds {
        for count in COUNTS {
            all.push(crowd(&format!("{count} {name} on one spot"), view, kind, |_| [0, 50], count));
        }
        all.push(crowd(
            &format!("3000 {name} in a heap"),
            view,
            kind,
            |i| [(i % 60) as i64 * 9 - 270, 40 + (i / 60) as i64 * 9],
            3000,
        ));
        all.push(crowd(
            &format!("4000 {name} side by side"),
            view,
            kind,
            |i| [(i % 400) as i64 * 40 - 8000, 50 + (i / 400) as i64 * 60],
            4_000,
        ));
    }
    all.push(Attack::new("4000 bodies with a script each, on one spot", |game| {
        let body = "[[entity]]\nkind=\"one\"\nat=[0,50]\n";
        game.level(FLOOR, (0..4_000).map(|_| body.to_string()));
        game.write("scripts/one.rhai", "fn on_touch(me, event) { this.n += 1; }\n");
    }));
    all
}

fn crowd(name: &str, view: &'static str, kind: &'static str, at: fn(usize) -> [i64; 2], count: usize) -> Attack {
    Attack::new(name, move |game: &Game<'_>| {
        game.write("config/entities/one.toml", kind);
        let head = if view == "top" { "view=\"top\"\n" } else { FLOOR };
        let bodies = (0..count).map(|i| {
            let [x, y] = at(i);
            format!("[[entity]]\nkind=\"one\"\nat=[{x},{y}]\n")
        });
        game.level(head, bodies);
    })
}

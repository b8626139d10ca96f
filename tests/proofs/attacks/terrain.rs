//! Levels whose shapes are many, long, thin or all in one place.

use super::{Attack, Game};
use crate::dice::Dice;
use std::f64::consts::{PI, TAU};

/// How far bounds may reach by default, px.
const FAR: f64 = 16_384.0;

const HERO: &str = "[[entity]]\nkind = \"one\"\nat = [0, 50]\n";

type Points = Vec<[f64; 2]>;

/// The text of points.
fn text(points: &[[f64; 2]]) -> String {
    let each: Vec<String> = points.iter().map(|[x, y]| format!("[{},{}]", short(*x), short(*y))).collect();
    format!("points=[{}]\n", each.join(","))
}

/// A number with at most three digits after the point.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn solid(points: &[[f64; 2]], more: &str) -> String {
    format!("[[solid]]\n{more}{}", text(points))
}

fn rectangle(x: f64, y: f64, w: f64, h: f64) -> Points {
    vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
}

/// An attack whose level has a hero and these parts.
fn level<I: Iterator<Item = String>>(name: &str, parts: impl Fn() -> I + Send + 'static) -> Attack {
    Attack::new(name, move |game| game.level(HERO, parts()))
}

fn round(count: usize, radius: impl Fn(usize) -> f64, x: f64, y: f64) -> Points {
    let at = |i| {
        let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
        [cos * radius(i) + x, sin * radius(i) + y]
    };
    (0..count).map(at).collect()
}

fn random_slivers(count: usize, what: &'static str) -> impl Iterator<Item = String> {
    let mut dice = Dice::new(1);
    (0..count).map(move |_| {
        let a = dice.between(0.0, TAU);
        let b = a + PI + dice.between(-1.0, 1.0);
        let (p, q) = ([a.cos() * FAR, a.sin() * FAR], [b.cos() * FAR, b.sin() * FAR]);
        format!("{what}{}", text(&[p, q, [q[0] + 0.5, q[1] + 0.5]]))
    })
}

pub fn attacks() -> Vec<Attack> {
    let mut all = long_edges();
    all.extend(many_points());
    all.extend(one_place());
    all.extend(thin());
    all.extend(moving());
    all.extend(zones());
    all
}

fn long_edges() -> Vec<Attack> {
    vec![
        level("20 long triangles", || {
            (0..20).map(|i| {
                let (sin, cos) = (PI * f64::from(i) / 20.0).sin_cos();
                let (x, y) = (cos * FAR, sin * FAR);
                let last = [x - y / FAR, y + 201.0 + x / FAR];
                solid(&[[-x, -y + 200.0], [x, y + 200.0], last], "")
            })
        }),
        level("400 long one-way platforms", || one_ways(400)),
        level("1 MB of long one-way platforms", || one_ways(20_000)),
        level("1,000 long slivers", || random_slivers(1000, "[[solid]]\n")),
        level("1 MB of long slivers", || random_slivers(100_000, "[[solid]]\n")),
        level("300 bars that cross", || {
            (0..300).map(|i| {
                let at = -FAR + 2.0 * FAR * f64::from(i / 2) / 150.0;
                if i % 2 == 0 {
                    solid(&rectangle(at, -FAR, 1.0, 2.0 * FAR), "")
                } else {
                    solid(&rectangle(-FAR, at, 2.0 * FAR, 1.0), "")
                }
            })
        }),
        level("1 MB of level bars", || {
            (0..100_000).map(|i| {
                let y = -FAR + f64::from(i) * 4.0;
                solid(&rectangle(-FAR, y, 2.0 * FAR, 1.0), "")
            })
        }),
        level("1 MB of diagonal bars", || {
            (0..100_000).map(|i| {
                let y = -FAR + f64::from(i) * 4.0;
                solid(&[[-FAR, y], [FAR, y + FAR], [FAR, y + 1.0 + FAR], [-FAR, y + 1.0]], "")
            })
        }),
    ]
}

fn one_ways(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |i| {
        let y = -FAR + 2.0 * FAR * i as f64 / count as f64;
        solid(&[[-FAR, y], [FAR, -y]], "one_way=true\n")
    })
}

fn many_points() -> Vec<Attack> {
    let one = |name: &str, points: fn() -> Points| level(name, move || std::iter::once(solid(&points(), "")));
    vec![
        one("star with 30,000 points", || round(30_000, |i| if i % 2 == 1 { FAR } else { FAR * 0.01 }, 0.0, -FAR)),
        one("circle with 30,000 points", || round(30_000, |_| FAR, 0.0, -FAR)),
        one("comb with 30,000 teeth", || {
            let tooth = |i: i32| {
                let x = FAR - 2.0 * FAR * f64::from(i) / 30_000.0;
                [x, if i % 2 == 1 { -100.0 } else { -10_100.0 }]
            };
            let mut points = vec![[-FAR, -FAR], [FAR, -FAR]];
            points.extend((0..30_000).map(tooth));
            points
        }),
        one("comb with 30,000 long teeth", || {
            let tooth = |i: i32| {
                let x = if i % 2 == 1 { FAR } else { 1.0 - FAR };
                [x, -f64::from(i) * 0.5]
            };
            let mut points: Points = (0..30_000).map(tooth).collect();
            points.extend([[-FAR, -15_000.0], [-FAR, 0.5]]);
            points
        }),
        one("floor with 30,000 points", || {
            let bump = |i: i32| {
                let x = -FAR + f64::from(i) * 2.0 * FAR / 30_000.0;
                [x, -20.0 + 10.0 * f64::from(i).sin()]
            };
            let mut points: Points = (0..30_000).map(bump).collect();
            points.extend([[FAR, -100.0], [-FAR, -100.0]]);
            points
        }),
    ]
}

fn one_place() -> Vec<Attack> {
    vec![
        level("16,384 tiles", || {
            (0..16_384).map(|i| {
                let (x, y) = (f64::from(i % 128 - 64), f64::from(i / 128 - 130));
                solid(&rectangle(x * 32.0, y * 32.0, 32.0, 32.0), "")
            })
        }),
        level("1 MB of blocks that overlap", || {
            let mut dice = Dice::new(2);
            (0..100_000).map(move |_| {
                let (x, y) = (dice.between(-100.0, 100.0), dice.between(-200.0, 0.0));
                solid(&rectangle(x, y, 100.0, 100.0), "")
            })
        }),
        level("1 MB of the same block", || (0..100_000).map(|_| solid(&rectangle(-100.0, -100.0, 200.0, 100.0), ""))),
        Attack::new("66,000 surfaces", |game| {
            game.level(HERO, std::iter::once(solid(&rectangle(-100.0, -9.0, 200.0, 9.0), "")));
            let names = (0..66_000).map(|i| format!("[s{i}]\n"));
            game.write("config/surfaces.toml", names.collect::<String>());
        }),
        Attack::new("1 MB of surfaces that solids use", |game| {
            let each = |i| format!("[[solid]]\nsurface=\"s{i}\"\npoints=[[{i},0],[{i}.5,0],[{i},1]]\n");
            game.level(HERO, (0..70_000).map(each));
            let names = (0..20_000).map(|i| format!("[s{i}]\n"));
            game.write("config/surfaces.toml", names.collect::<String>());
        }),
        Attack::new("1 MB of heights", |game| heights(game, 100_000)),
        Attack::new("one height with 30,000 points", |game| {
            let points = round(30_000, |i| 9_000.0 + (i % 7) as f64, 0.0, 0.0);
            game.write("config/entities/one.toml", "model = \"topdown\"\n");
            let head = format!("view=\"top\"\n{HERO}");
            game.level(&head, std::iter::once(solid(&points, "top=20\n")));
        }),
    ]
}

fn heights(game: &Game<'_>, count: u32) {
    game.write("config/entities/one.toml", "model = \"topdown\"\n");
    let each = (0..count).map(|i| {
        let (x, y) = (f64::from(i % 128) * 40.0, f64::from(i / 128) * 40.0);
        let top = short(f64::from(i) * 0.01 + 0.01);
        solid(&rectangle(x, y, 32.0, 32.0), &format!("top={top}\n"))
    });
    game.level("view=\"top\"\n[[entity]]\nkind=\"one\"\nat=[0,-50]\n", each);
}

fn thin() -> Vec<Attack> {
    let mut all = Vec::new();
    for (height, name) in [(1e-2, "0.01"), (1e-5, "0.00001"), (1e-10, "0.0000000001")] {
        all.push(level(&format!("slivers {name} px high"), move || {
            (0..16_000).map(move |i| {
                let x = -8000 + i;
                format!("[[solid]]\npoints=[[{x},-10],[{0},-10],[{x},{1:?}]]\n", x + 1, height - 10.0)
            })
        }));
    }
    all.push(level("1 MB of long slivers above each other", || {
        (0..20_000).map(|i| {
            let y = f64::from(i) * -1e-3;
            format!("[[solid]]\npoints=[[-9000,{y:?}],[9000,{y:?}],[9000,{:?}]]\n", y + 1e-5)
        })
    }));
    all
}

fn moving() -> Vec<Attack> {
    const PATH: &str = "path={points=[[0,0],[9,0]],speed=9}\n";
    vec![
        level("1 MB of platforms", || {
            (0..100_000).map(|i| {
                let x = i - 8000;
                format!("[[solid]]\npoints=[[{x},-10],[{0},-10],[{x},-5]]\n{PATH}", x + 1)
            })
        }),
        level("1 MB of platforms in one place", || {
            (0..100_000).map(|_| format!("[[solid]]\npoints=[[-50,0],[50,0],[0,30]]\n{PATH}"))
        }),
        Attack::new("platform with 30,000 points under 1,000 bodies", |game| {
            let bump = |i: i32| {
                let x = 9000.0 - f64::from(i) * 18_000.0 / 30_000.0;
                [x, 10.0 * f64::from(i).sin()]
            };
            let mut points = vec![[-9000.0, -100.0], [9000.0, -100.0]];
            points.extend((0..30_000).map(bump));
            let bodies = (0..1000).map(|i| format!("[[entity]]\nkind=\"one\"\nat=[{},60]\n", i * 16 - 8000));
            game.write("config/entities/one.toml", "");
            let head = solid(&points, PATH);
            game.level(&head, bodies);
        }),
        Attack::new("60 one-way platforms through one place, with 1,000 vessels on it", |game| {
            game.write("config/entities/one.toml", "model = \"vessel\"\n");
            let line = |i: i32| {
                let (sin, cos) = (PI * (f64::from(i) / 60.0 - 0.5)).sin_cos();
                let points = [[cos * -9000.0, sin * -9000.0], [cos * 9000.0, sin * 9000.0]];
                solid(&points, "one_way=true\n")
            };
            game.level(&crowd(), (1..60).map(line));
        }),
        level("1 MB of solids that scripts switch", || {
            let mut dice = Dice::new(3);
            (0..100_000).map(move |_| {
                let x = short(dice.between(-100.0, 100.0));
                format!("[[solid]]\npresent=true\npoints=[[{x},-100],[9000,-10],[9000,-9]]\n")
            })
        }),
    ]
}

/// A thousand bodies around the origin.
fn crowd() -> String {
    let bodies = (0..1000).map(|i| format!("[[entity]]\nkind=\"one\"\nat=[{},0]\n", i % 500 - 250));
    bodies.collect()
}

fn zones() -> Vec<Attack> {
    const ZONE: &str = "[[zone]]\nexternal_accel=[1,0]\n";
    vec![
        level("1 MB of long zones", || random_slivers(100_000, ZONE)),
        level("1 MB of zones in one place", || {
            (0..100_000).map(|_| format!("{ZONE}{}", text(&rectangle(-300.0, -300.0, 600.0, 600.0))))
        }),
        level("zone with 30,000 points", || {
            std::iter::once(format!("{ZONE}{}", text(&round(30_000, |_| 16_000.0, 0.0, 0.0))))
        }),
        Attack::new("80 long zones through one place, with 1,000 bodies in it", |game| {
            game.write("config/entities/one.toml", "");
            let zone = |i: i32| {
                let (sin, cos) = (PI * f64::from(i) / 80.0).sin_cos();
                let aside = [cos * 9000.0 - sin * 9.0, sin * 9000.0 + cos * 9.0];
                let points = [[cos * -9000.0, sin * -9000.0], [cos * 9000.0, sin * 9000.0], aside];
                format!("{ZONE}{}", text(&points))
            };
            game.level(&crowd(), (0..80).map(zone));
        }),
        Attack::new("5,000 zones in one place, with 1,000 bodies in them", |game| {
            game.write("config/entities/one.toml", "");
            let zone = format!("{ZONE}{}", text(&rectangle(-300.0, -300.0, 600.0, 600.0)));
            game.level(&crowd(), (0..5000).map(|_| zone.clone()));
        }),
    ]
}

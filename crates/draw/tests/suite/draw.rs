//! Pictures, compared pixel by pixel.

use crate::folder::Folder;
use hangtime_core::{
    models::ModelName,
    sim::{Artwork, EntityView},
};
use hangtime_draw::{Color, Picture, Show, colors, paint};
use hangtime_game::Live;
use tiny_skia::Pixmap;

/// The picture of a level with a body in its middle, with changes to both.
pub(crate) struct Scene {
    pub live: Live,
    pub bodies: Vec<EntityView>,
}

const TOP: &str = "view = \"top\"\nsurface = \"stone\"\n";

impl Scene {
    pub fn of(level: &str, kind: &str) -> Self {
        let folder = Folder::empty();
        folder.write("scripts/hidden.rhai", "fn on_birth(me) { me.visible = false; }");
        folder.write("config/entities/hero.toml", kind);
        let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 0]\n";
        folder.write("levels/level.toml", &format!("{level}\n{hero}"));
        let live = folder.game().live;
        Self { bodies: live.views().collect(), live }
    }

    pub fn shown(&self) -> Pixmap {
        self.showing(&self.bodies)
    }

    pub fn showing(&self, bodies: &[EntityView]) -> Pixmap {
        self.painted(bodies, Show::default())
    }

    /// The level without bodies after some seconds.
    pub fn at_time(&self, time: f64) -> Pixmap {
        self.painted_at(&[], Show::default(), time)
    }

    /// The picture of these bodies with a camera, effects or overlays.
    pub fn painted(&self, bodies: &[EntityView], show: Show<'_>) -> Pixmap {
        self.painted_at(bodies, show, 0.0)
    }

    fn painted_at(&self, bodies: &[EntityView], show: Show<'_>, time: f64) -> Pixmap {
        let mut canvas = Pixmap::new(200, 200).expect("a size above 0");
        paint(&mut canvas, &self.picture(bodies, show, time));
        canvas
    }

    /// What is painted.
    pub fn picture<'a>(&'a self, bodies: &'a [EntityView], show: Show<'a>, time: f64) -> Picture<'a> {
        Picture {
            level: &self.live.revision().stage.level,
            time,
            changes: self.live.world().changes(),
            bodies,
            hud: "",
            banner: "",
            why: "",
            show,
        }
    }

    /// The picture with the body changed.
    fn with(&self, change: impl Fn(&mut EntityView)) -> Pixmap {
        let mut bodies = self.bodies.clone();
        bodies.iter_mut().for_each(change);
        self.showing(&bodies)
    }
}

/// The color at a level position in a top view picture centered on (0, 0).
pub(crate) fn at(picture: &Pixmap, x: i32, y: i32) -> [u8; 3] {
    let pixel = picture.pixel((100 + x) as u32, (99 - y) as u32).expect("within the picture");
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// The number of pixels that differ.
pub(crate) fn differing(a: &Pixmap, b: &Pixmap) -> usize {
    let pairs = a.pixels().iter().zip(b.pixels());
    pairs.filter(|(a, b)| a != b).count()
}

fn block(top: Option<f64>, bottom: i32) -> String {
    let top = top.map_or(String::new(), |top| format!("top = {top}\n"));
    let (low, high) = (bottom, bottom + 20);
    format!("{TOP}[[solid]]\npoints = [[-30, {low}], [30, {low}], [30, {high}], [-30, {high}]]\n{top}")
}

const BODY: &str = "body = { ellipse = [8.0, 6.0] }\n";

#[test]
fn a_block_is_drawn_at_its_height() {
    let floor = Scene::of(TOP, BODY).shown();
    let block = Scene::of(&block(Some(30.0), 40), BODY).shown();
    // Its side spans y 40 to 70, its top 70 to 90.
    let (side, top) = (at(&block, 0, 55), at(&block, 0, 80));
    assert_ne!(side, top);
    assert_eq!(at(&block, 20, 44), side);
    for y in [38, 92] {
        assert_eq!(at(&block, 0, y), at(&floor, 0, y), "at {y}");
    }
    let brightness = |c: [u8; 3]| c.iter().map(|x| u32::from(*x)).sum::<u32>();
    assert!(brightness(side) < brightness(at(&floor, 0, 55)));
}

#[test]
fn endlessly_high_solids_are_darker_than_blocks() {
    let high = at(&Scene::of(&block(None, 40), BODY).shown(), 0, 65);
    let low = at(&Scene::of(&block(Some(18.0), 40), BODY).shown(), 0, 65);
    assert!(high.iter().zip(low).all(|(high, low)| *high < low));
}

#[test]
fn a_block_hides_bodies_behind_it_but_not_in_front_of_it() {
    let behind = Scene::of(&block(Some(40.0), -30), BODY);
    let hidden = at(&behind.shown(), 0, 0);
    let side_or_top = at(&behind.shown(), 20, 0);
    assert_eq!(hidden, side_or_top, "its top reaches from y 10 to 30, its side up to 10");
    let before = Scene::of(&block(Some(40.0), 8), BODY).shown();
    assert_ne!(at(&before, 0, 0), at(&before, 20, 12));
}

#[test]
fn a_body_in_the_air_is_drawn_above_its_shadow() {
    let scene = Scene::of(TOP, BODY);
    let ground = scene.shown();
    let high = scene.with(|body| body.z = 40.0);
    assert_eq!(at(&ground, -5, 3), at(&high, -5, 43), "the body");
    let floor = scene.with(|body| body.pos.x += 1.0e4);
    let shadow = at(&high, 0, 0);
    assert_ne!(shadow, at(&ground, 0, 0));
    assert!(shadow[0] < at(&floor, 0, 0)[0], "the floor below it is darker");
}

#[test]
fn a_shadow_lies_on_the_block_below() {
    let scene = Scene::of(&block(Some(30.0), -10), BODY);
    // It started inside the block and was pushed out.
    let high = scene.with(|body| {
        (body.pos.x, body.pos.y, body.z) = (0.0, 0.0, 90.0);
    });
    let top = at(&high, 25, 30);
    assert!(at(&high, 0, 30)[0] < top[0], "on the top of the block");
    assert_eq!(at(&high, 0, 0), at(&high, 25, 0), "and not on the floor");
}

const VESSEL: &str = "model = \"vessel\"\n[body]\npieces = [\n\
    { points = [[-20, 0], [20, 0], [20, 12], [-20, 12]] },\n\
    { points = [[-20, -10], [-14, -10], [-14, 0], [-20, 0]], foot = true },\n]\n";

#[test]
fn a_vessel_is_drawn_rotated_with_its_feet() {
    let scene = Scene::of("", VESSEL);
    let flat = scene.shown();
    assert!(differing(&flat, &scene.with(|body| body.angle = 0.5)) > 100);
    assert!(differing(&flat, &scene.with(|body| body.feet = vec![0.8])) > 10);
    let half_a_turn = std::f64::consts::PI;
    assert!(differing(&flat, &scene.with(|body| body.angle = half_a_turn)) > 100);
    let round = 2.0 * half_a_turn;
    assert!(differing(&flat, &scene.with(|body| body.angle = round)) < 10);
}

#[test]
fn a_thrusting_vessel_has_a_flame() {
    let scene = Scene::of("", VESSEL);
    let off = scene.shown();
    let on = scene.with(|body| body.thrust = 1.0);
    let Color(r, g, b) = Color(255, 146, 48);
    let flame = |p: &Pixmap| p.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == [r, g, b]).count();
    assert_eq!(flame(&off), 0);
    assert!(flame(&on) > 5);
}

#[test]
fn zones_are_tinted_and_labeled() {
    let zone = |does: &str| {
        let points = "points = [[-80, -80], [80, -80], [80, -20], [-80, -20]]";
        Scene::of(&format!("{TOP}[[zone]]\nname = \"z\"\n{points}\n{does}\n"), BODY).shown()
    };
    let none = Scene::of(TOP, BODY).shown();
    let bare = zone("");
    assert_ne!(at(&none, 60, -50), at(&bare, 60, -50));
    for does in ["external_accel = [300, 0]", "conveyor = [0, 50]", "gravity_scale = 0.5"] {
        let tint = zone(does);
        let shades: std::collections::BTreeSet<[u8; 3]> = (-70..70).map(|x| at(&tint, x, -50)).collect();
        let rows: std::collections::BTreeSet<[u8; 3]> = (-70..70)
            .flat_map(|x| (-75..-25).map(move |y| (x, y)))
            .map(|(x, y)| at(&tint, x, y))
            .collect();
        assert!(rows.len() > 3 || shades.len() > 3, "{does}");
    }
}

#[test]
fn each_model_has_its_own_edge_color_and_gifs_have_all_colors() {
    let scene = Scene::of(TOP, BODY);
    let pictures: Vec<Pixmap> =
        ModelName::ALL.iter().map(|model| scene.with(|body| body.model = Some(*model))).collect();
    for (i, one) in pictures.iter().enumerate() {
        for other in &pictures[i + 1..] {
            assert!(differing(one, other) > 20);
        }
    }
    let known = colors(&scene.live.revision().stage.level, &Artwork::default());
    let pixel = at(&pictures[0], 70, 70);
    assert!(known.contains(&Color(pixel[0], pixel[1], pixel[2])), "the floor");
}

#[test]
fn a_quarantined_entity_has_a_mark_above_it() {
    for (level, kind) in [("", ""), ("", VESSEL), (TOP, "")] {
        let scene = Scene::of(level, kind);
        let marked = scene.with(|body| body.quarantined = true);
        let warn = |p: &Pixmap| {
            let is = |p: &&tiny_skia::PremultipliedColorU8| [p.red(), p.green(), p.blue()] == [255, 206, 92];
            let places = p.pixels().iter().enumerate().filter(|(_, p)| is(p));
            places.map(|(place, _)| place / 200).collect::<Vec<_>>()
        };
        assert_eq!(warn(&scene.shown()).len(), 0, "{level}{kind}");
        let rows = warn(&marked);
        assert!(rows.len() > 4, "{level}{kind}");
        // The mark is above the body's rows, which differ when the body is not drawn.
        let (with, without) = (scene.shown(), scene.showing(&[]));
        let pairs = with.pixels().iter().zip(without.pixels()).enumerate();
        let mut body = pairs.filter(|(_, (a, b))| a != b).map(|(place, _)| place / 200);
        let top = body.next().expect("a body");
        assert!(rows.iter().all(|row| *row < top), "{level}{kind}: {rows:?}, {top}");
    }
}

#[test]
fn a_body_under_inverted_gravity_is_drawn_upside_down() {
    let scene = Scene::of("", "body = { ellipse = [20.0, 30.0] }\n");
    let (upright, inverted) = (scene.shown(), scene.with(|body| body.inverted = true));
    let none = scene.showing(&[]);

    let rows = |picture: &Pixmap, other: &Pixmap| {
        let pairs = picture.pixels().iter().zip(other.pixels()).enumerate();
        let differ = pairs.filter(|(_, (a, b))| a != b);
        differ.map(|(place, _)| place / 200).collect::<Vec<_>>()
    };
    let body = rows(&upright, &none);
    let middle = (body[0] + body[body.len() - 1]) / 2;
    let eyes = rows(&upright, &inverted);
    let above = eyes.iter().filter(|row| **row < middle).count();
    assert!(above > 0 && above < eyes.len());
    assert_eq!(rows(&inverted, &none).len(), body.len());
}

#[test]
fn a_body_is_drawn_in_the_form_of_its_collider() {
    // The outline is 1.5 px wide, half of it outside.
    let (wide, tall) = (40.0 + 1.5, 60.0 + 1.5);
    let corners = (4.0 - std::f64::consts::PI) * wide * wide / 4.0;
    for (body, area) in [
        ("box = [40.0, 60.0]", wide * tall),
        ("capsule = [40.0, 60.0]", wide * tall - corners),
        ("ellipse = [20.0, 30.0]", wide * tall * std::f64::consts::PI / 4.0),
    ] {
        let scene = Scene::of("", &format!("body = {{ {body} }}\n"));
        let painted = differing(&scene.shown(), &scene.showing(&[])) as f64;
        assert!((painted / area - 1.0).abs() < 0.04, "{body}: {painted} pixels for {area} px²");
    }
}

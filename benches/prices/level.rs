//! The games in which prices are measured.

use std::{fmt::Write as _, path::Path};

/// Where statements run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The hero of a side view. A crowded level has 500 entities, 3,000 edges within reach, platforms and zones.
    Side { crowded: bool },
    /// A hero that turns.
    Vessel { crowded: bool },
    /// The hero of a top view.
    Top { crowded: bool },
    /// A test, which plays a small level.
    Test,
}

impl Place {
    pub fn name(self) -> &'static str {
        match self {
            Self::Side { crowded: false } => "side",
            Self::Side { crowded: true } => "side+",
            Self::Vessel { crowded: false } => "vessel",
            Self::Vessel { crowded: true } => "vessel+",
            Self::Top { crowded: false } => "top",
            Self::Top { crowded: true } => "top+",
            Self::Test => "test",
        }
    }

    fn is_crowded(self) -> bool {
        matches!(self, Self::Side { crowded: true } | Self::Vessel { crowded: true } | Self::Top { crowded: true })
    }
}

/// Writes a game. Its hero, or a test, runs `setup` once and `body` several times.
pub fn write(folder: &Path, place: Place, setup: &str, (body, times): (&str, usize)) {
    if place == Place::Test {
        write_game(folder, place, "");
        let test = format!(
            "fn test_price() {{\nlet t = play(\"prices.toml\");\nlet hero = t.entity(\"hero\");\n{setup}\n\
             for i in 0..{times} {{\n{body}\n}}\n}}\n"
        );
        write_file(folder, "levels/tests/prices.input", "10 right\n");
        return write_file(folder, "levels/tests/prices.rhai", &test);
    }
    // The second tick is measured.
    let script = format!(
        "fn kept(x) {{ x }}\nfn near(x) {{ if x > 3 {{ return 1; }} 2 }}\nfn on_tick(me) {{\n    if world::tick() != 1 {{ return; }}\n{setup}\n    \
         for i in 0..{times} {{\n{body}\n    }}\n}}\n"
    );
    write_game(folder, place, &script);
}

fn write_file(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// A sound of two samples.
const PING: &[u8] =
    b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0\x01\0\x02\0";

fn write_game(folder: &Path, place: Place, script: &str) {
    let write = |name: &str, text: &str| write_file(folder, name, text);
    write("scripts/hero.rhai", script);
    // The budget is not what is measured.
    write(
        "config/hangtime.toml",
        "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n[sounds]\nping = \"ping.wav\"\n",
    );
    std::fs::create_dir_all(folder.join("sounds")).expect("a folder");
    std::fs::write(folder.join("sounds/ping.wav"), PING).expect("a file");
    let model = match place {
        Place::Vessel { .. } => "vessel",
        Place::Top { .. } => "topdown",
        _ => "platformer",
    };
    let kind = format!(
        "model = \"{model}\"\nscript = \"hero.rhai\"\nvars = {{ n = 0, ball = \"\", goal = 0, height = 0, wants = false, stunned = false }}\n\
         [stances]\ncrouch = {{ size = [20, 24] }}\n"
    );
    write("config/entities/hero.toml", &kind);
    for kind in ["stone", "guard", "none"] {
        write(&format!("config/entities/{kind}.toml"), "");
    }
    write("config/entities/ball.toml", "model = \"ballistic\"\n");
    write("config/surfaces.toml", "[ice]\n");
    let top = matches!(place, Place::Top { .. });
    let mut level = format!(
        "view = \"{}\"\nsurface = \"ice\"\n[[solid]]\nname = \"floor\"\npoints = [[-5000, -100], [5000, -100], [5000, 0], [-5000, 0]]\n\
         [[solid]]\nname = \"door\"\npresent = true\npoints = [[900, 0], [920, 0], [920, 90], [900, 90]]\n\
         [[zone]]\nname = \"water\"\npoints = [[-300, 0], [300, 0], [300, 200], [-300, 200]]\n\
         [[zone]]\nname = \"wind\"\npoints = [[600, 0], [700, 0], [700, 90], [600, 90]]\nexternal_accel = [90, 0]\n\
         [[solid]]\nname = \"ledge\"\npoints = [[1100, 0], [1140, 0], [1140, 20], [1100, 20]]\n\
         [[solid]]\nname = \"lift\"\npoints = [[1000, 0], [1040, 0], [1040, 20], [1000, 20]]\n\
         path = {{ points = [[0, 0], [0, 90]], speed = 60, loop = \"called\" }}\n\
         [[solid]]\nname = \"gate\"\npoints = [[1200, 0], [1220, 0], [1220, 90], [1200, 90]]\n\
         path = {{ loop = \"free\", speed = 60 }}\n\
         [[solid]]\nname = \"bridge\"\npoints = [[1240, 0], [1250, 0], [1250, 90], [1240, 90]]\n\
         rotation = {{ pivot = [1245, 0], speed_deg = 45, loop = \"called\" }}\n\
         [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n",
        if top { "top" } else { "side" }
    );
    if place.is_crowded() {
        crowd(&mut level);
    }
    level.push_str("[[solid]]\nname = \"last\"\npoints = [[4900, 0], [4950, 0], [4950, 50], [4900, 50]]\n");
    level.push_str("[[entity]]\nkind = \"guard\"\nname = \"last\"\nat = [4800, 19]\n");
    write("levels/prices.toml", &level);
}

fn crowd(level: &mut String) {
    for i in 0..750 {
        // Small blocks in the air, above the heads of all.
        let (x, y) = (f64::from(i % 50) * 12.0 - 300.0, 120.0 + f64::from(i / 50) * 12.0);
        let _ =
            write!(level, "[[solid]]\npoints = [[{x}, {y}], [{0}, {y}], [{0}, {1}], [{x}, {1}]]\n", x + 8.0, y + 8.0);
    }
    for i in 0..60 {
        let x = f64::from(i) * 60.0 - 1800.0;
        let _ = write!(
            level,
            "[[solid]]\nname = \"lift {i}\"\npoints = [[{x}, 400], [{0}, 400], [{0}, 420], [{x}, 420]]\n\
             path = {{ points = [[0, 0], [0, 40]], speed = 40 }}\n",
            x + 40.0
        );
    }
    for i in 0..40 {
        let _ = write!(
            level,
            "[[zone]]\nname = \"zone {i}\"\npoints = [[-{0}, 0], [{0}, 0], [{0}, 300], [-{0}, 300]]\n",
            100 + i
        );
    }
    for i in 0..500 {
        let _ = write!(level, "[[entity]]\nkind = \"stone\"\nat = [{}, 19]\n", 1000.0 + f64::from(i) * 7.0);
    }
}

//! The header of a hostile script, and the game that the script is put into.

use hangtime::{
    project::{Project, Revision},
    script::host::Diagnostic,
};
use std::path::Path;

const LEVEL: &str = r#"
surface = "stone"
[[solid]]
name = "floor"
points = [[-4000, -100], [4000, -100], [4000, 0], [-4000, 0]]
[[zone]]
name = "pond"
points = [[-300, 0], [-100, 0], [-100, 90], [-300, 90]]
[[entity]]
kind = "hostile"
name = "hostile"
at = [-200, 60]
player = 1
[[entity]]
kind = "neighbor"
name = "neighbor"
at = [400, 19]
"#;

const NEIGHBOR: &str = "fn on_tick(me) { this.ticks += 1; me.hold(\"right\"); }\n";

/// A script with its expectations.
#[derive(Default)]
pub struct Case {
    /// The script's file name without its ending.
    pub name: String,
    pub files: Vec<(String, String)>,
    pub settings: Vec<(String, String)>,
    pub load_errors: Vec<String>,
    pub load_warnings: Vec<String>,
    /// The hooks that fail, each with a part of its message.
    pub faults: Vec<(String, String)>,
    pub quarantine: bool,
    pub nothing: bool,
}

impl Case {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("a script");
        let mut case = Self { name: path.file_stem().unwrap_or_default().to_string_lossy().into(), ..Self::default() };
        let mut file = "scripts/hostile.rhai".to_string();
        let mut body = String::new();
        for line in text.split_inclusive('\n') {
            if let Some(next) = line.strip_prefix("//// ") {
                let before = std::mem::replace(&mut file, next.trim().to_string());
                case.files.push((before, std::mem::take(&mut body)));
                continue;
            }
            body.push_str(line);
            if let Some(what) = line.trim_end().strip_prefix("// expect: ") {
                case.expect(what);
            } else if let Some(setting) = line.trim_end().strip_prefix("// set: ") {
                let (key, value) = setting.split_once('=').expect("KEY=VALUE");
                case.settings.push((key.into(), value.into()));
            }
        }
        case.files.push((file, body));
        case
    }

    /// A script that does nothing.
    pub fn peaceful() -> Self {
        Self { files: vec![("scripts/hostile.rhai".into(), "fn on_tick(me) { }".into())], ..Self::default() }
    }

    fn expect(&mut self, what: &str) {
        let quoted = what
            .split_once('"')
            .map_or("", |(_, rest)| rest.strip_suffix('"').expect("a closing quote"));
        if what == "nothing" {
            self.nothing = true;
        } else if what == "quarantine" {
            self.quarantine = true;
        } else if what.starts_with("load error ") {
            self.load_errors.push(quoted.into());
        } else if what.starts_with("load warning ") {
            self.load_warnings.push(quoted.into());
        } else if let Some(rest) = what.strip_prefix("fault in ") {
            let hook = rest.split(' ').next().unwrap_or_default();
            self.faults.push((hook.into(), quoted.into()));
        } else {
            panic!("unknown expectation `{what}`");
        }
    }

    /// Writes the game into a temporary folder and opens its level.
    pub fn open(&self) -> Result<Revision, Vec<Diagnostic>> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a file below the root")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        write("levels/level.toml", LEVEL);
        write("config/surfaces.toml", "[stone]\n");
        for kind in ["hostile", "neighbor"] {
            let text = format!("script = \"{kind}.rhai\"\nvars = {{ n = 0, ticks = 0 }}\n");
            write(&format!("config/entities/{kind}.toml"), &text);
        }
        write("scripts/neighbor.rhai", NEIGHBOR);
        for (name, text) in &self.files {
            write(name, text);
        }
        let project = Project::load(folder.path()).expect("a game folder");
        let level = folder.path().join("levels/level.toml");
        project.open(&level, &self.settings).map_err(|error| error.diagnostics())
    }
}

//! Saves in progress, files that are gone, links and renamed folders, on a real disk.

use crate::folder::{Folder, LEVEL};
use hangtime_game::{GameFolder, Notice, Reloader, Revision};
use hangtime_script::Diagnostic;
use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

const COUNTS: &str = "fn on_tick(me) { this.n += 1; }\n";
const NUMBERS: &str = "config/models/platformer.toml";

/// A watched folder and what it has reported.
struct Watch {
    reloader: Reloader,
    running: Arc<Revision>,
    adopted: Vec<(Vec<String>, Arc<Revision>)>,
    reported: Vec<String>,
}

impl Watch {
    fn new(folder: &Folder) -> Self {
        Self::of(folder, GameFolder::new(folder.root()))
    }

    fn of(folder: &Folder, game: GameFolder) -> Self {
        let running = Arc::new(folder.open().expect("a good game"));
        let level = folder.path("levels/level.toml");
        Self {
            reloader: Reloader::new(game, level, vec![], &running),
            running,
            adopted: Vec::new(),
            reported: Vec::new(),
        }
    }

    fn take(&mut self) {
        for notice in self.reloader.notices() {
            match notice {
                Notice::Ready { revision, changed, .. } => {
                    self.running = revision.clone();
                    self.adopted.push((changed, revision));
                }
                Notice::Broken(wrong) => {
                    self.reported.extend(wrong.iter().map(Diagnostic::headline));
                }
                Notice::Reverted => self.reported.push("reverted".into()),
            }
        }
    }

    fn wait_for(&mut self, time: Duration) {
        std::thread::sleep(time);
        self.take();
    }

    /// Waits until something is adopted or reported that was not before.
    fn wait(&mut self) {
        let (adopted, reported) = (self.adopted.len(), self.reported.len());
        self.wait_until(|watch| watch.adopted.len() > adopted || watch.reported.len() > reported);
    }

    fn wait_until(&mut self, done: impl Fn(&Self) -> bool) {
        let started = Instant::now();
        while !done(self) {
            assert!(started.elapsed() < Duration::from_secs(60), "no effect");
            std::thread::sleep(Duration::from_millis(2));
            self.take();
        }
    }

    /// The headlines of the running revision's warnings.
    fn warnings(&self) -> Vec<String> {
        let warnings = self.running.warnings.iter();
        warnings.map(Diagnostic::headline).collect()
    }

    /// The running jump speed.
    fn jump_speed(&self) -> f64 {
        let profile = &self.running.stage.profiles[0];
        profile.loadouts.platformer.tuning.jump.jump_speed
    }
}

fn folder() -> Folder {
    let folder = Folder::with_script(COUNTS);
    folder.write(NUMBERS, "jump_speed = 700.0\ncoyote_time = 0.2\n");
    folder
}

#[test]
fn a_config_file_that_is_emptied_is_adopted_after_a_second_with_a_warning() {
    let folder = folder();
    let mut watch = Watch::new(&folder);
    let started = Instant::now();
    folder.write(NUMBERS, "");
    watch.wait();
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert_eq!(watch.reported, [""; 0]);
    assert!(watch.jump_speed() < 700.0, "the default");
    let warning = format!("{NUMBERS}: warning: this file is empty: the defaults apply now");
    assert!(watch.warnings()[0].contains(&warning), "{:?}", watch.warnings());
    // The next revision does not repeat it.
    folder.write(NUMBERS, "jump_speed = 600.0\n");
    watch.wait();
    assert_eq!(watch.warnings(), [""; 0]);
    assert!((watch.jump_speed() - 600.0).abs() < 1e-9);
}

#[test]
fn a_config_file_that_is_gone_keeps_its_numbers_until_it_is_back() {
    for (name, text) in
        [(NUMBERS, "jump_speed = 600.0\ncoyote_time = 0.2\n"), ("config/surfaces.toml", "[stone]\n[ice]\n")]
    {
        let folder = folder();
        let mut watch = Watch::new(&folder);
        let started = Instant::now();
        fs::remove_file(folder.path(name)).expect("removed");
        watch.wait();
        assert!(started.elapsed() >= Duration::from_secs(1));
        let message = format!("{name}: error: this file is gone: its numbers stay in effect until it is back");
        assert!(watch.reported[0].contains(&message), "{:?}", watch.reported);
        assert!(watch.adopted.is_empty());
        // Other edits take effect meanwhile, with the numbers as they were.
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }\n");
        watch.wait();
        assert_eq!(watch.adopted.len(), 1);
        assert!((watch.jump_speed() - 700.0).abs() < 1e-9, "{}", watch.jump_speed());
        folder.write(name, text);
        watch.wait();
        assert_eq!((watch.adopted.len(), watch.reported.len()), (2, 1));
        assert_eq!(watch.running.files[name].text, text);
        assert_eq!(watch.warnings(), [""; 0]);
    }
}

#[test]
fn a_restart_of_the_level_gives_up_the_numbers_of_a_config_file_that_is_gone() {
    let folder = folder();
    let mut watch = Watch::new(&folder);
    fs::remove_file(folder.path(NUMBERS)).expect("removed");
    watch.wait();
    watch.reloader.restarted();
    watch.wait();
    assert!(watch.jump_speed() < 700.0, "the default");
    let warning = format!("{NUMBERS}: warning: this file is gone: the defaults apply now");
    assert!(watch.warnings()[0].contains(&warning), "{:?}", watch.warnings());
    // It is back.
    folder.write(NUMBERS, "jump_speed = 600.0\n");
    watch.wait();
    assert!((watch.jump_speed() - 600.0).abs() < 1e-9);
}

#[test]
fn an_emptied_level_is_an_error_that_says_so() {
    let folder = folder();
    let mut watch = Watch::new(&folder);
    folder.write("levels/level.toml", "");
    watch.wait();
    assert!(watch.adopted.is_empty());
    assert!(watch.reported[0].contains("levels/level.toml: error: this file is empty"), "{:?}", watch.reported);
    folder.write("levels/level.toml", LEVEL);
    watch.wait();
    assert_eq!(watch.reported[1..], ["reverted"]);
}

#[test]
fn a_file_that_a_slow_program_writes_is_adopted_when_it_is_whole() {
    for name in ["levels/level.toml", NUMBERS, "scripts/hero.rhai"] {
        in_time(|pauses| {
            let folder = folder();
            let mut watch = Watch::new(&folder);
            let old = folder.read(name);
            let new = old.replace("-1000", "-1100").replace("700", "710").replace("+= 1", "+= 2");
            assert_ne!(old, new);
            for percent in [0, 25, 50, 75, 100] {
                // Each write closes the file.
                pauses.pause(&mut watch, Duration::from_millis(150), || {
                    folder.write(name, &new[..new.len() * percent / 100]);
                });
            }
            watch.wait_until(|watch| !watch.adopted.is_empty() || !watch.reported.is_empty());
            watch.wait_for(Duration::from_millis(300));
            let texts: Vec<&str> = watch.adopted.iter().map(|(_, it)| &*it.files[name].text).collect();
            only(&[new.as_str()], &texts, &watch)
        });
    }
}

/// Pauses of a test between writes, and the longest time by which one was longer than it should be.
#[derive(Default)]
struct Pauses(Duration);

impl Pauses {
    fn pause(&mut self, watch: &mut Watch, pause: Duration, write: impl FnOnce()) {
        let started = Instant::now();
        write();
        watch.wait_for(pause);
        self.0 = self.0.max(started.elapsed().saturating_sub(pause));
    }
}

/// Expects that a test whose writes must be in time comes out right. On a busy machine pauses may be longer than a program
/// that saves slowly takes; then it is tried again, and says nothing if that never changes.
fn in_time(test: impl Fn(&mut Pauses) -> Result<(), String>) {
    for _ in 0..8 {
        let mut pauses = Pauses::default();
        let Err(wrong) = test(&mut pauses) else {
            return;
        };
        assert!(pauses.0 > Duration::from_millis(4), "{wrong}");
    }
}

/// Whether these have been adopted, and nothing was reported.
fn only<T: PartialEq + std::fmt::Debug>(expected: &[T], adopted: &[T], watch: &Watch) -> Result<(), String> {
    match watch.reported.is_empty() && adopted == expected {
        true => Ok(()),
        false => Err(format!("adopted {adopted:?}, reported {:?}", watch.reported)),
    }
}

#[test]
fn a_level_that_lost_its_entities_for_a_moment_keeps_them() {
    let (terrain, hero) = LEVEL.split_once("[[entity]]").expect("a hero");
    let wider = terrain.replace("-1000", "-1200").replace("\n[[solid]]", "\n\n\n\n\n\n\n[[solid]]");
    in_time(|pauses| {
        let folder = folder();
        let mut watch = Watch::new(&folder);
        pauses.pause(&mut watch, Duration::from_millis(400), || folder.write("levels/level.toml", &wider));
        folder.write("levels/level.toml", &format!("{wider}[[entity]]{hero}"));
        watch.wait();
        watch.wait_for(Duration::from_millis(200));
        let entities: Vec<usize> = watch.adopted.iter().map(|(_, it)| it.stage.starts.len()).collect();
        only(&[1], &entities, &watch)
    });
    let folder = folder();
    let mut watch = Watch::new(&folder);
    // One that stays without entities is what the user wants.
    folder.write("levels/level.toml", &wider);
    watch.wait();
    assert_eq!(watch.running.stage.starts.len(), 0);
    assert!(watch.warnings()[0].contains("the level has no entities any more"));
}

#[test]
fn files_written_together_are_never_seen_mixed() {
    let folder = folder();
    let mut watch = Watch::new(&folder);
    let pair = |n: u32| {
        folder.write(NUMBERS, &format!("jump_speed = {n}.0\ncoyote_time = 0.2\n"));
        folder.write("config/surfaces.toml", &format!("[stone]\n[ice]\ngrip = 0.{n}\n"));
    };
    for n in 100..120 {
        pair(n);
        watch.wait_for(Duration::from_millis(3 * u64::from(n - 100) + 120));
    }
    watch.wait_until(|watch| (watch.jump_speed() - 119.0).abs() < 1e-9);
    let number = |revision: &Revision, name: &str, before: &str| -> String {
        let text = &revision.files[name].text;
        let rest = text.split(before).nth(1).expect("the key");
        rest.chars().take_while(char::is_ascii_digit).collect()
    };
    assert_eq!(watch.reported, [""; 0]);
    for (_, revision) in &watch.adopted {
        let speed = number(revision, NUMBERS, "jump_speed = ");
        assert_eq!(speed, number(revision, "config/surfaces.toml", "grip = 0."));
    }
}

#[test]
fn five_files_copied_30_ms_apart_become_one_revision() {
    in_time(|pauses| {
        let folder = folder();
        let mut watch = Watch::new(&folder);
        for (name, text) in [
            ("config/hangtime.toml", "[simulation]\ngravity = 1700\n"),
            (NUMBERS, "jump_speed = 640.0\ncoyote_time = 0.2\n"),
            ("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.3\n"),
            ("scripts/hero.rhai", "fn on_tick(me) { this.n += 5; }\n"),
            ("levels/level.toml", &LEVEL.replace("-1000", "-1500")),
        ] {
            pauses.pause(&mut watch, Duration::from_millis(30), || folder.write(name, text));
        }
        watch.wait_until(|watch| !watch.adopted.is_empty() || !watch.reported.is_empty());
        watch.wait_for(Duration::from_millis(600));
        let changed: Vec<usize> = watch.adopted.iter().map(|(changed, _)| changed.len()).collect();
        only(&[5], &changed, &watch)
    });
}

#[test]
fn a_game_folder_that_is_renamed_is_reported_and_continues_when_it_is_back() {
    let parent = Folder::empty();
    let game = parent.path("game");
    let inner = folder();
    copy_folder(inner.root(), &game);
    let mut watch = watch_at(&game);
    let away = parent.path("away");
    fs::rename(&game, &away).expect("renamed");
    watch.wait();
    assert!(watch.adopted.is_empty());
    assert!(watch.reported[0].contains("the game folder is gone"), "{:?}", watch.reported);
    assert_eq!(watch.reported.len(), 1);
    // Another folder takes its place.
    copy_folder(&away, &game);
    watch.wait();
    assert_eq!(watch.reported[1..], ["reverted"]);
    // It is watched: an edit takes effect long before the next slow look.
    watch.wait_for(Duration::from_millis(300));
    expect_quick_edit(&mut watch, &game.join(NUMBERS));
}

#[test]
fn folders_that_were_deleted_and_put_back_are_watched_again() {
    let folder = folder();
    let mut watch = Watch::new(&folder);
    let copy = Folder::empty();
    copy_folder(&folder.path("config"), &copy.path("config"));
    fs::remove_dir_all(folder.path("config")).expect("removed");
    copy_folder(&copy.path("config"), &folder.path("config"));
    watch.wait_for(Duration::from_millis(700));
    assert_eq!((watch.adopted.len(), watch.reported.len()), (0, 0));
    expect_quick_edit(&mut watch, &folder.path(NUMBERS));
}

#[test]
fn two_programs_can_play_one_folder() {
    let folder = folder();
    let (mut one, mut two) = (Watch::new(&folder), Watch::new(&folder));
    for n in 0..5 {
        folder.write(NUMBERS, &format!("jump_speed = 50{n}.0\ncoyote_time = 0.2\n"));
        one.wait();
        two.wait();
        assert!((one.jump_speed() - two.jump_speed()).abs() < 1e-9);
    }
    drop(one);
    expect_quick_edit(&mut two, &folder.path(NUMBERS));
}

#[cfg(unix)]
#[test]
fn links_inside_the_game_folder_are_watched() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    folder.write("shared/models/platformer.toml", "jump_speed = 650.0\ncoyote_time = 0.2\n");
    folder.write("common/hero.rhai", COUNTS);
    fs::remove_dir_all(folder.path("config/models")).expect("removed");
    symlink("../shared/models", folder.path("config/models")).expect("a link");
    fs::remove_file(folder.path("scripts/hero.rhai")).expect("removed");
    symlink("../common/hero.rhai", folder.path("scripts/hero.rhai")).expect("a link");
    let mut watch = Watch::new(&folder);
    expect_quick_edit(&mut watch, &folder.path("shared/models/platformer.toml"));
    expect_quick_edit(&mut watch, &folder.path("common/hero.rhai"));
    // A link that changes where it leads.
    folder.write("common/other.rhai", "fn on_tick(me) { this.n += 7; }\n");
    symlink("../common/other.rhai", folder.path("scripts/new.rhai")).expect("a link");
    fs::rename(folder.path("scripts/new.rhai"), folder.path("scripts/hero.rhai")).expect("renamed");
    watch.wait();
    expect_quick_edit(&mut watch, &folder.path("common/other.rhai"));
    assert_eq!(watch.reported, [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_game_folder_are_refused_by_name_or_followed_and_watched() {
    use std::os::unix::fs::symlink;
    let elsewhere = Folder::empty();
    elsewhere.write("models/platformer.toml", "jump_speed = 650.0\ncoyote_time = 0.2\n");
    let folder = folder();
    let mut watch = Watch::new(&folder);
    fs::remove_dir_all(folder.path("config/models")).expect("removed");
    symlink(elsewhere.path("models"), folder.path("config/models")).expect("a link");
    watch.wait();
    assert!(watch.adopted.is_empty(), "it does not run on defaults");
    assert!(watch.reported[0].contains("--follow-links"), "{:?}", watch.reported);
    assert!(folder.open().is_err());

    fs::remove_file(folder.path("config/models")).expect("removed");
    let mut watch = Watch::of(&folder, GameFolder::new(folder.root()).follow_links(true));
    symlink(elsewhere.path("models"), folder.path("config/models")).expect("a link");
    watch.wait_until(|watch| (watch.jump_speed() - 650.0).abs() < 1e-9);
    expect_quick_edit(&mut watch, &elsewhere.path("models/platformer.toml"));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_an_error_and_does_not_mean_defaults() {
    use std::os::unix::fs::symlink;
    for name in ["config/models", "config", "scripts", NUMBERS] {
        let folder = folder();
        let path = folder.path(name);
        if path.is_dir() {
            fs::remove_dir_all(&path).expect("removed");
        } else {
            fs::remove_file(&path).expect("removed");
        }
        symlink("nowhere", &path).expect("a link");
        let wrong = folder.open().expect_err("a dead link");
        let wrong: Vec<_> = wrong.iter().map(Diagnostic::headline).collect();
        let told =
            |line: &String| line.contains(name) && (line.contains("leads to nothing") || line.contains("no such file"));
        assert!(wrong.iter().any(told), "{name}: {wrong:?}");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn watch_at(game: &Path) -> Watch {
    let project = hangtime_game::Project::load(game).expect("a folder");
    let level = project.find_level("level").expect("a level");
    let running = Arc::new(project.open(&level, &[]).expect("a good game"));
    let reloader = Reloader::new(game.to_path_buf(), level, vec![], &running);
    Watch { reloader, running, adopted: Vec::new(), reported: Vec::new() }
}

/// Saves a file with another comment soon after each look at the files, and expects that the watcher sees it: the next slow
/// look at all files is most of two seconds away.
fn expect_quick_edit(watch: &mut Watch, path: &Path) {
    let comment = if path.extension().is_some_and(|e| e == "rhai") { "//" } else { "#" };
    for n in 0..8 {
        let text = fs::read_to_string(path).expect("a file");
        let started = Instant::now();
        fs::write(path, format!("{comment} edit {n}\n{text}")).expect("written");
        let before = watch.adopted.len();
        watch.wait();
        assert_eq!(watch.adopted.len(), before + 1, "{:?}", watch.reported);
        // The first edit may come just before a slow look; the others come just after one.
        if n > 0 && started.elapsed() < Duration::from_millis(1200) {
            return;
        }
        watch.wait_for(Duration::from_millis(150));
    }
    panic!("no edit of {} was seen at once", path.display());
}

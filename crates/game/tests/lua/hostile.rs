//! Broken and malicious scripts, each next to a neighbor that must not notice. The scripts are in `hostile_scripts.rs`.
//!
//! Each is played alone, again on the same machine, again on another one with a save in between, and as a crowd. Whatever
//! it does, the results are the same, its faults have a place, and nothing that it shows depends on an address.
//! `HANGTIME_HOSTILE_FIGURES=1` prints the longest tick of each.

use super::{
    Folder,
    hostile_scripts::{Case, Expected, all},
    on_large_stack,
};
use hangtime_core::sim::{Inputs, SavedWorld, Value};
use hangtime_game::{Live, Revision, now};
use std::{
    collections::BTreeMap,
    process::Command,
    sync::{Arc, LazyLock},
};

/// Enough for a script that fails in every tick to be disabled.
const TICKS: u64 = 14;

/// After which tick the world is saved, and loaded by another machine.
const SAVED_AFTER: u64 = 5;

const NEIGHBOR: &str = "
local parts = { b = 2, a = 1, c = 3 }
function on_tick(me)
    vars.ticks += 1
    local said = ''
    for name, value in parts do said ..= name .. value end
    vars.said = said .. string.format('%.3f', math.random()) .. string.rep('x', 3)
    me.hold('right')
end";

fn folder(case: &Case, crowd: usize) -> Folder {
    let folder = Folder::empty();
    let mut level = "surface = \"stone\"\n[[solid]]\nname = \"floor\"\n\
         points = [[-4000, -100], [4000, -100], [4000, 0], [-4000, 0]]\n"
        .to_string();
    for n in 0..crowd {
        level +=
            &format!("[[entity]]\nkind = \"hostile\"\nname = \"hostile{n}\"\nat = [{}, 60]\n", -200 - 40 * n as i64);
    }
    level += "[[entity]]\nkind = \"neighbor\"\nname = \"neighbor\"\nat = [400, 19]\n";
    folder.write("levels/level.toml", &level);
    folder.write("config/surfaces.toml", "[stone]\n");
    for kind in ["hostile", "neighbor"] {
        let text = format!("script = \"{kind}.luau\"\nvars = {{ n = 0, ticks = 0, said = \"\" }}\n");
        folder.write(&format!("config/entities/{kind}.toml"), &text);
    }
    folder.write("scripts/neighbor.luau", NEIGHBOR);
    for (name, text) in &case.files {
        folder.write(name, text);
    }
    folder
}

/// What can be seen of a game.
#[derive(Debug, Default, PartialEq)]
struct Played {
    hashes: Vec<u64>,
    faults: Vec<String>,
    printed: Vec<String>,
    /// The operations of each hook.
    operations: BTreeMap<String, u64>,
    neighbor: Neighbor,
    /// The variables of the hostile entities.
    variables: String,
}

#[derive(Debug, Default, PartialEq)]
struct Neighbor {
    vars: BTreeMap<String, Value>,
    x: f64,
}

/// Plays a game; from [`SAVED_AFTER`] on under another revision with the same files, if there is one.
fn play(revision: &Arc<Revision>, other: Option<&Arc<Revision>>) -> Played {
    let mut live = Live::new(revision.clone(), 0);
    let mut played = Played::default();
    live.measure(true);
    for tick in 0..TICKS {
        live.step(&Inputs::none());
        played.hashes.push(live.world().hash());
        let report = live.report();
        played
            .faults
            .extend(report.faults.first.iter().map(|fault| fault.diagnostic.render(false)));
        played.printed.extend(report.printed.lines.iter().cloned());
        if let Some(other) = other.filter(|_| tick == SAVED_AFTER) {
            let saved = serde_json::to_string(live.world()).expect("a world that can be saved");
            count_operations(&live, &mut played);
            live = Live::new(other.clone(), 0);
            live.measure(true);
            let saved: SavedWorld = serde_json::from_str(&saved).expect("a saved world");
            live.load(saved).expect("a world of this level");
            assert_eq!(live.world().hash(), played.hashes[tick as usize], "a loaded world is the same");
        }
    }
    count_operations(&live, &mut played);
    let entities = live.world().entities();
    let view = live.views().find(|view| &*view.name == "neighbor").expect("the neighbor");
    let vars = entities
        .iter()
        .find(|entity| &*entity.name == "neighbor")
        .expect("the neighbor")
        .vars
        .0
        .to_plain();
    played.neighbor = Neighbor { vars, x: view.pos.x };
    let hostile = entities.iter().filter(|entity| entity.name.starts_with("hostile"));
    played.variables = format!("{:?}", hostile.map(|entity| entity.vars.0.to_plain()).collect::<Vec<_>>());
    played
}

fn count_operations(live: &Live, played: &mut Played) {
    for hook in live.profile().expect("a profile").hooks {
        *played.operations.entry(format!("{} {}", hook.behavior, hook.hook)).or_default() += hook.operations;
    }
}

/// What becomes of the neighbor next to scripts that do nothing.
fn peace(crowd: usize) -> Neighbor {
    static PEACE: LazyLock<[Neighbor; 2]> = LazyLock::new(|| {
        [1, CROWD].map(|crowd| {
            let peaceful = Case::new("peaceful", "vars.n += 1", Expected::Runs);
            let revision = folder(&peaceful, crowd).open().expect("a good game");
            play(&Arc::new(revision), None).neighbor
        })
    });
    let of = &PEACE[usize::from(crowd > 1)];
    Neighbor { vars: of.vars.clone(), x: of.x }
}

/// How many of them are together: with all operations of their calls, they leave some of a tick's.
const CROWD: usize = 8;

/// What is wrong with a script that should be refused when it is loaded.
fn judge_refused(case: &Case, expected: &str) -> Vec<String> {
    let Err(wrong) = folder(case, 1).open() else {
        return vec![format!("is not refused with `{expected}`")];
    };
    let fits = wrong.iter().any(|wrong| wrong.headline().contains(expected));
    let unplaced = wrong.iter().filter(|wrong| wrong.place.is_none()).map(|wrong| wrong.headline());
    let unexpected = (!fits).then(|| format!("`{expected}` is not in {}", wrong[0].headline()));
    unexpected.into_iter().chain(unplaced).collect()
}

/// How long the longest tick of a game takes, ms.
fn longest_tick(revision: &Arc<Revision>) -> f64 {
    let mut live = Live::new(revision.clone(), 0);
    let times = (0..TICKS).map(|_| {
        let began = now();
        live.step(&Inputs::none());
        now() - began
    });
    times.max().unwrap_or_default().as_secs_f64() * 1e3
}

/// What is wrong with what a script does.
fn judge(case: &Case) -> Vec<String> {
    if let Expected::Refused(expected) = &case.expected {
        return judge_refused(case, expected);
    }
    let open = |crowd| folder(case, crowd).open().map(Arc::new).map_err(|wrong| vec![wrong[0].headline()]);
    let (revision, other, crowd) = match (open(1), open(1), open(CROWD)) {
        (Ok(revision), Ok(other), Ok(crowd)) => (revision, other, crowd),
        (Err(wrong), ..) | (_, Err(wrong), _) | (.., Err(wrong)) => return wrong,
    };
    if std::env::var_os("HANGTIME_HOSTILE_FIGURES").is_some() {
        let [alone, together] = [longest_tick(&revision), longest_tick(&crowd)];
        println!("{alone:.2} ms, as a crowd {together:.2} ms: {}", case.name);
    }
    let played = play(&revision, None);
    let mut wrong = judge_played(case, &played, &peace(1));
    let again = [("again", play(&revision, None)), ("on another machine", play(&other, Some(&revision)))];
    for (how, again) in again {
        wrong.extend(difference(&played, &again).map(|what| format!("{how}, other {what}")));
    }
    let many = play(&crowd, None);
    wrong.extend(
        judge_played(case, &many, &peace(CROWD))
            .into_iter()
            .map(|wrong| format!("as a crowd: {wrong}")),
    );
    wrong
}

fn difference(a: &Played, b: &Played) -> Option<&'static str> {
    if a.hashes != b.hashes {
        return Some("hashes");
    } else if a.faults != b.faults {
        return Some("faults");
    } else if a.printed != b.printed {
        return Some("prints");
    } else if a.operations != b.operations {
        return Some("operations");
    }
    (a != b).then_some("variables")
}

fn judge_played(case: &Case, played: &Played, peace: &Neighbor) -> Vec<String> {
    let mut wrong = Vec::new();
    if played.neighbor != *peace {
        wrong.push(format!("the neighbor suffers: {:?} instead of {peace:?}", played.neighbor));
    }
    let is_fault = |fault: &str, part: &str| fault.contains(part) && fault.contains("scripts/") && fault.contains('^');
    match &case.expected {
        Expected::Runs => wrong.extend(played.faults.first().cloned()),
        Expected::Anything => {}
        Expected::Fails(part) if played.faults.is_empty() => wrong.push(format!("does not fail with `{part}`")),
        Expected::Fails(part) => {
            wrong.extend(
                played
                    .faults
                    .iter()
                    .find(|fault| !is_fault(fault, part))
                    .map(|fault| format!("`{part}`: {fault}")),
            );
        }
        Expected::Refused(_) => {}
    }
    let shown = [played.faults.join("\n"), played.printed.join("\n"), played.variables.clone()].concat();
    if shown.contains("0x") {
        wrong.push(format!("shows an address: {shown}"));
    }
    if played.variables.len() > 100_000 * CROWD {
        wrong.push(format!("{} bytes of variables", played.variables.len()));
    }
    wrong
}

#[test]
fn hostile_scripts_are_stopped_and_no_other_entity_notices() {
    on_large_stack(|| {
        let cases = all();
        let wrong: Vec<String> = cases
            .iter()
            .flat_map(|case| judge(case).into_iter().map(|wrong| format!("{}: {wrong}", case.name)))
            .collect();
        assert!(wrong.is_empty(), "{} of {} scripts:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
        println!("{} scripts", cases.len());
    });
}

/// What the process that this test starts prints.
const CHILD: &str = "HANGTIME_LUA_CHILD";

#[test]
fn the_order_of_keys_is_the_same_in_every_process() {
    if std::env::var_os(CHILD).is_some() {
        on_large_stack(|| {
            for case in all().iter().filter(|case| !matches!(case.expected, Expected::Refused(_))) {
                let revision = folder(case, 1).open().unwrap_or_else(|wrong| panic!("{}", wrong[0].headline()));
                println!("trace {} {:?}", case.name, play(&Arc::new(revision), None));
            }
        });
        return;
    }
    // Addresses differ from process to process, and with the size of the environment.
    let traces = ["", "more"].map(|value| {
        let mut test = Command::new(std::env::current_exe().expect("this test"));
        test.args(["--exact", "hostile::the_order_of_keys_is_the_same_in_every_process", "--nocapture"]);
        let output = test.env(CHILD, value.repeat(300)).output().expect("a process");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        printed
            .lines()
            .filter(|line| line.starts_with("trace "))
            .map(str::to_string)
            .collect::<Vec<_>>()
    });
    assert!(traces[0].len() > 100, "{}", traces[0].len());
    for (first, second) in traces[0].iter().zip(&traces[1]) {
        assert_eq!(first, second);
    }
}

//! Everything that the reference lists for behaviors, in a loop until the budget of a call ends: its example, and calls
//! with the smallest and the largest arguments that its parameters take. A call that is new is covered without an edit.
//!
//! Memory is counted. The time per operation is compared with counting in the same process.

#[expect(dead_code, reason = "the bench prints names of places")]
#[path = "../../benches/prices/level.rs"]
mod level;
#[expect(dead_code, reason = "the suite checks how often a row runs")]
#[path = "../../benches/prices/rows.rs"]
mod rows;

use hangtime::{
    playtest::calls::calls_of_tests,
    project::{Live, Project, Revision},
    script::{
        host::{
            STACK,
            api::{Access, ApiEntry, ApiSet, EntryKind, Owner, Type},
        },
        rhai::api_entries,
    },
    sim::Inputs,
};
use level::Place;
use std::{fmt::Write as _, sync::Arc};

/// How many times as long as in a loop that counts an operation may take. Builds without optimization differ more than
/// `cargo bench --bench prices`, which measures nanoseconds.
const MOST_TIME: f64 = 5.0;

/// The most memory that a tick may allocate for each of its operations, bytes, and at one time.
const MOST_BYTES: u64 = 512;
const MOST_AT_ONCE: u64 = 8 << 20;

/// How often a tick is measured (the fastest counts), and how often again if it was too slow.
const ROUNDS: usize = 3;
const AGAIN: usize = 8;

/// The fewest operations from which the memory of one follows, and from which its time does: a call that is refused
/// ends its hook, and where it ran for a few hundred operations, most of the time went into the message.
const FEWEST: u64 = 300;
const FEWEST_TIMED: f64 = 1000.0;

/// More rounds of a loop than any budget pays for.
const ENDLESS: usize = 1_000_000;

/// What generated calls take.
const ARGUMENTS: &str = "let text = \"\"; text.pad(4000, \"a\"); let list = []; list.pad(1000, 1); let map = #{}; \
    for i in 0..200 { map[`k${i}`] = i; } let v = vec(3, 4); let other = world::entity(\"last\");";

/// Plays everything and says what is too cheap.
pub fn cover_time_and_memory() -> Result<(), String> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(play_all);
    thread.expect("a thread").join().expect("prices that are measured")
}

fn play_all() -> Result<(), String> {
    let mut wrong = String::new();
    let rows = rows::rows();
    let mut measured = 0;
    for entry in api_entries(&calls_of_tests())
        .iter()
        .filter(|entry| entry.api_set.is_in(ApiSet::Behavior) && rows::has_price(entry))
    {
        let name = entry.signature();
        let row = rows.iter().find(|row| row.name == name && !is_crowded(row.place));
        let Some(row) = row.filter(|row| row.place != Place::Test) else {
            let _ = writeln!(wrong, "{name} has no row in benches/prices/rows.rs");
            continue;
        };
        let example = Loop::new(row.place, row.setup, &row.body);
        let example = example.map_err(|why| format!("{name}: {why}"))?;
        for problem in example.problems() {
            let _ = writeln!(wrong, "{name}, as in its example: {problem}");
        }
        for large in [false, true] {
            for statement in statements(entry, large) {
                // Not every combination makes sense; what is refused before it runs costs nothing.
                let Ok(generated) = Loop::new(row.place, ARGUMENTS, &statement) else {
                    continue;
                };
                measured += 1;
                for problem in generated.problems() {
                    let _ = writeln!(wrong, "{statement}: {problem}");
                }
            }
        }
    }
    println!("{measured} generated statements");
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

const fn is_crowded(place: Place) -> bool {
    matches!(place, Place::Side { crowded: true } | Place::Vessel { crowded: true } | Place::Top { crowded: true })
}

/// Statements that use an entry with small or large arguments.
fn statements(entry: &ApiEntry, large: bool) -> Vec<String> {
    let on = match entry.owner {
        Owner::Free => "",
        Owner::World => "world::",
        Owner::Hud => "hud::",
        Owner::Camera => "camera::",
        Owner::Me => "me.",
        Owner::Entity => "other.",
        Owner::Vec => "v.",
        _ => return Vec::new(),
    };
    let name = entry.name;
    let arguments: Vec<String> = entry.parameters.iter().map(|p| argument(p.takes, large)).collect();
    let read = format!("let x = {on}{name};");
    let write = format!("{on}{name} = {};", argument(entry.returns, large));
    match (entry.kind, &arguments[..]) {
        (EntryKind::Property(Access::ReadOnly(_)), _) => vec![read],
        (EntryKind::Property(Access::WriteOnly(_)), _) => vec![write],
        (EntryKind::Property(Access::Write), _) => vec![read, write],
        (EntryKind::Operator, [only]) => vec![format!("let x = {name}{only};")],
        (EntryKind::Operator, [left, right]) => vec![format!("let x = {left} {name} {right};")],
        _ => vec![format!("{on}{name}({});", arguments.join(", "))],
    }
}

/// A value of a type.
fn argument(holds: Type, large: bool) -> String {
    let of_size = |small: &str, big: &str| if large { big.to_string() } else { small.to_string() };
    match holds {
        Type::Nothing => "()".into(),
        Type::Flag => "true".into(),
        Type::Whole | Type::Number => of_size("1", "3000"),
        Type::Text | Type::Name(_) => of_size("\"stone\"", "text"),
        Type::Vec => "v".into(),
        Type::Array(of) if large => format!("all_of({})", argument(*of, false)),
        Type::Array(of) => format!("[{}]", argument(*of, false)),
        Type::Map(_) => of_size("#{}", "map"),
        Type::Data | Type::Any => of_size("1", "list"),
        Type::Me => "me".into(),
        Type::Entity => "other".into(),
        Type::Function => "|x| x".into(),
        Type::Either(all) => argument(if large { all[all.len() - 1] } else { all[0] }, large),
        Type::Test | Type::Live | Type::Snapshot | Type::Expectation => "()".into(),
    }
}

/// A game whose hero runs a statement until its budget ends.
struct Loop {
    statement: Arc<Revision>,
    idle: Arc<Revision>,
    counting: Arc<Revision>,
}

impl Loop {
    fn new(place: Place, setup: &str, body: &str) -> Result<Self, String> {
        // Made once, not in each round.
        let (setup, body) = match body.split_once("all_of(") {
            None => (setup.to_string(), body.to_string()),
            Some((before, rest)) => {
                let (item, after) = rest.split_once(')').expect("a closed call");
                (format!("{setup} let all = []; all.pad(1000, {item});"), format!("{before}all{after}"))
            }
        };
        let open = |body: &str| opened(place, &setup, body);
        Ok(Self { statement: open(&body)?, idle: open("break;")?, counting: open("this.n += 1;")? })
    }

    /// What is too cheap.
    fn problems(&self) -> Vec<String> {
        let mut least = [f64::INFINITY; 3];
        let mut problems = Vec::new();
        for round in 0..ROUNDS + AGAIN {
            let all = [&self.statement, &self.idle, &self.counting].map(Measured::of);
            let [own, idle, counting] = &all;
            if own.operations < idle.operations + FEWEST {
                return Vec::new();
            }
            for (least, measured) in least.iter_mut().zip(&all) {
                *least = least.min(measured.ns);
            }
            let operations = |measured: &Measured| (measured.operations - idle.operations) as f64;
            let price = (least[0] - least[1]).max(0.0) / operations(own);
            let of_counting = (least[2] - least[1]).max(1.0) / operations(counting);
            problems.clear();
            if operations(own) >= FEWEST_TIMED && price > MOST_TIME * of_counting {
                problems.push(format!("an operation takes {:.1} times as long as counting", price / of_counting));
            }
            let bytes = own.bytes.saturating_sub(idle.bytes) / operations(own) as u64;
            if bytes > MOST_BYTES {
                problems.push(format!("an operation allocates {bytes} bytes"));
            }
            if own.at_once > MOST_AT_ONCE {
                problems.push(format!("a tick takes {} KiB at one time", own.at_once >> 10));
            }
            if round + 1 >= ROUNDS && problems.is_empty() {
                break;
            }
        }
        problems
    }
}

fn opened(place: Place, setup: &str, body: &str) -> Result<Arc<Revision>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    level::write(folder.path(), place, setup, (body, ENDLESS));
    // The default budgets.
    std::fs::write(folder.path().join("config/hangtime.toml"), "[sounds]\nping = \"ping.wav\"\n").expect("a file");
    let project = Project::load(folder.path()).expect("the folder");
    let path = project.find_level("prices").expect("the level");
    project.open(&path, &[]).map(Arc::new).map_err(|error| error.to_string())
}

/// What the second tick of a game took, in which the hero runs its statements.
struct Measured {
    ns: f64,
    operations: u64,
    bytes: u64,
    at_once: u64,
}

impl Measured {
    fn of(revision: &Arc<Revision>) -> Self {
        let mut live = Live::new(revision.clone(), 0);
        live.step(&Inputs::none());
        let mut took = 0.0;
        let counted = allocation_counter::measure(|| {
            let began = crate::figures::milliseconds_of_thread();
            live.step(&Inputs::none());
            took = crate::figures::milliseconds_of_thread() - began;
        });
        Self {
            ns: took * 1e6,
            operations: live.script_operations(),
            bytes: counted.bytes_total,
            at_once: counted.bytes_max,
        }
    }
}

//! `cargo bench --bench prices` measures every call that scripts can make, and its rows run.

#[path = "../../benches/prices/level.rs"]
mod level;
#[path = "../../benches/prices/rows.rs"]
mod rows;

use crate::folder::on_large_stack;
use hangtime::{
    playtest::{PlayedScript, TestLevels, calls::calls_of_tests},
    project::{Live, Project},
    script::{
        host::{SourceFile, Sources},
        rhai::api_entries,
    },
    sim::Inputs,
};
use level::Place;
use rows::{Row, has_price, rows};
use std::{path::Path, sync::Arc};

#[test]
fn every_entry_of_the_api_has_a_row_of_prices() {
    let rows = rows();
    for entry in api_entries(&calls_of_tests()).iter().filter(|entry| has_price(entry)) {
        let name = entry.signature();
        let its = rows.iter().filter(|row| row.name == name);
        assert!(its.count() > 0, "{name} has no row");
    }
}

/// The operations of a row whose statements run this often.
fn operations(row: &Row, times: usize) -> Result<u64, String> {
    let folder = tempfile::tempdir().expect("a folder");
    level::write(folder.path(), row.place, row.setup, (&row.body, times));
    let project = Project::load(folder.path()).expect("the folder");
    if row.place == Place::Test {
        return of_test(project, folder.path());
    }
    let path = project.find_level("prices").expect("the level");
    let revision = project.open(Path::new(&path), &[]);
    let revision = revision.map_err(|error| error.to_string())?;
    let mut live = Live::new(Arc::new(revision), 0);
    live.step(&Inputs::none());
    match live.step(&Inputs::none()).faults.first.first() {
        Some(fault) => Err(fault.render(false)),
        None => Ok(live.script_operations()),
    }
}

fn of_test(project: Project, folder: &Path) -> Result<u64, String> {
    let name = "levels/tests/prices.rhai";
    let text = std::fs::read_to_string(folder.join(name)).expect("the test");
    let file = Arc::new(SourceFile { name: name.into(), text });
    let levels = TestLevels::new(project, folder.join("levels/tests"));
    let script = PlayedScript::compile(&file, Arc::new(Sources::new()), levels);
    let mut script = script.map_err(|wrong| format!("{wrong:?}"))?;
    let test = script.tests()[0].clone();
    match script.run(&test) {
        Ok(_) => Ok(script.operations()),
        Err(failure) => Err(failure.diagnostic.headline()),
    }
}

#[test]
fn every_row_of_prices_runs_and_costs_something() {
    on_large_stack(|| {
        let crowded = [Place::Side { crowded: true }, Place::Vessel { crowded: true }, Place::Top { crowded: true }];
        for row in rows().iter().filter(|row| !crowded.contains(&row.place)) {
            let (once, twice) = (operations(row, 1), operations(row, 2));
            let at = format!("{} ({}, {} times)", row.name, row.place.name(), row.times);
            match (once, twice) {
                // Time that a test passes has its own limit.
                (Ok(_), Ok(_)) if row.plays => {}
                (Ok(once), Ok(twice)) => assert!(twice > once, "{at}: {once}, {twice}"),
                (Err(why), _) | (_, Err(why)) => panic!("{at}: {why}"),
            }
        }
    });
}

//! Messages that misled or kept silent, each with its place, its line and its caret: in `check`, and when a script runs.

use crate::{
    folder::{Folder, on_large_stack},
    messages_table::{CASES, KIND, LEVEL, MORE_CASES, MessageCase, Source},
};
use hangtime_game::check;
use hangtime_script::{Diagnostic, calls::ForeignCalls};

/// A game without a mistake.
fn game() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }\n");
    folder.write(KIND, "script = \"hero.rhai\"\nvars = { n = 0, list = [1, 2], goal = 0, home = \"a\" }\n");
    folder
}

fn said_by(source: Source, folder: &Folder) -> Vec<Diagnostic> {
    match source {
        Source::Check => check(folder.root(), &[], &ForeignCalls::none()).expect("a game").diagnostics,
        Source::Load => match folder.open() {
            Ok(revision) => revision.warnings,
            Err(wrong) => wrong,
        },
        Source::Run => {
            let mut game = folder.game();
            game.ticks(1);
            game.faults.into_iter().map(|fault| fault.diagnostic).collect()
        }
    }
}

#[test]
fn each_message_names_the_place_the_cause_and_what_to_write() {
    on_large_stack(|| {
        let mut failed = String::new();
        for MessageCase { file, text, said } in CASES.iter().chain(MORE_CASES) {
            let folder = game();
            folder.write(file, text);
            for (sources, message) in *said {
                for source in *sources {
                    let found = said_by(*source, &folder);
                    let first = found.first().map(|d| Diagnostic { calls: Vec::new(), ..d.clone() });
                    let first = first.map_or_else(String::new, |d| d.render(false));
                    let all: Vec<String> = found
                        .iter()
                        .map(|d| Diagnostic { calls: Vec::new(), ..d.clone() }.render(false))
                        .collect();
                    if !all.iter().any(|said| said == message) {
                        failed += &format!(
                            "{source:?} of {text}\nwanted {message}\n   got {first}\n({} in all)\n\n",
                            found.len()
                        );
                    }
                }
            }
        }
        assert!(failed.is_empty(), "{failed}");
    });
}

#[test]
fn right_games_say_nothing() {
    on_large_stack(|| {
        let folder = game();
        for source in [Source::Check, Source::Load, Source::Run] {
            assert_eq!(said_by(source, &folder).len(), 0, "{source:?}");
        }
    });
}

#[test]
fn a_vec_in_a_file_is_a_vec_in_the_script() {
    use hangtime_core::sim::Value;
    for (written, vec) in
        [("[3, 4]", [3.0, 4.0, 0.0]), ("[-0.5, 1e3]", [-0.5, 1000.0, 0.0]), ("[1, 2, 3]", [1.0, 2.0, 3.0])]
    {
        let folder = Folder::with_script("fn on_tick(me) { this.n = this.home.x + this.list[0].y; }");
        let vars = format!(
            "vars = {{ n = 0, home = {{ vec = {written} }}, list = [{{ vec = {written} }}], map = {{ vec = 1, other = 2 }} }}\n"
        );
        folder.write(KIND, &format!("script = \"hero.rhai\"\n{vars}"));
        let mut game = folder.game();
        game.ticks(1);
        assert_eq!(game.var("home"), Value::Vector(vec), "{written}");
        assert_eq!(game.var("n"), Value::Float(vec[0] + vec[1]), "{written}");
        assert!(matches!(game.var("map"), Value::Map(_)), "two keys are a map");
    }
    for wrong in ["[1]", "[1, 2, 3, 4]", "[1, nan]", "[1, inf]", "3", "[\"a\", 2]", "[]"] {
        let folder = Folder::with_script("");
        folder.write(KIND, &format!("vars = {{ home = {{ vec = {wrong} }} }}\n"));
        let said = folder.wrong();
        assert!(said.len() == 1 && said[0].contains("a vec has two or three finite numbers"), "{wrong}: {said:?}");
    }
}

#[test]
fn a_given_name_is_never_taken_by_an_entity_without_one() {
    let entity = |name: &str| {
        let name = if name.is_empty() { String::new() } else { format!("name = {name:?}\n") };
        format!("[[entity]]\nkind = \"hero\"\n{name}at = [0, 19]\n")
    };
    // Wherever the named one is among the others.
    for place in 0..4 {
        let mut given = [""; 4];
        given[place] = "hero_2";
        let entities: String = given.iter().map(|name| entity(name)).collect();
        let folder = Folder::with_script("");
        folder.write(LEVEL, &format!("[[solid]]\npoints = [[-99, -9], [99, -9], [99, 0], [-99, 0]]\n{entities}"));
        let names: Vec<String> = folder.game().live.views().map(|v| v.name.to_string()).collect();
        let mut wanted = vec!["hero", "hero_3", "hero_4"];
        wanted.insert(place, "hero_2");
        assert_eq!(names, wanted);
    }
    // The name of an entity that is gone stays taken: the next one has the number 3.
    let folder = Folder::with_script(
        "fn on_tick(me) {\n    if me.name == \"hero_3\" { me.remove(); return; }\n    this.n += 1;\n    \
         if this.n == 3 { this.made = world::create(\"hero\", 0, 300); }\n}\n",
    );
    folder.write(
        LEVEL,
        &format!(
            "[[solid]]\npoints = [[-99, -9], [99, -9], [99, 0], [-99, 0]]\n{}{}",
            entity("hero"),
            entity("hero_3")
        ),
    );
    let mut game = folder.game();
    game.ticks(5);
    let made = game.var("made");
    assert_eq!(made, hangtime_core::sim::Value::Text("hero_3_".into()));
}

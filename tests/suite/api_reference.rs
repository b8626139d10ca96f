//! `hangtime api`: the reference in its three forms.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use hangtime::{
    playtest::calls::calls_of_tests,
    script::{
        host::{HookKind, Language, ReferenceItem, api::Type, find_item, hooks},
        rhai::{
            Rhai, api_entries,
            reference::{self, language},
        },
    },
};
use std::path::Path;

/// Compares a committed page with the generated one; `HANGTIME_WRITE_DOCS` writes it.
pub fn is_fresh(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{name} is stale: run `HANGTIME_WRITE_DOCS=1 cargo test --test suite -- reference docs`");
}

#[test]
fn the_committed_reference_matches_the_code() {
    is_fresh("docs/api.md", &reference::markdown(api_entries(&calls_of_tests())));
    is_fresh("docs/i-want-to.md", &reference::sheet());
    is_fresh("docs/hangtime.d.rhai", &reference::definitions(api_entries(&calls_of_tests())));
}

#[test]
fn types_of_elements_are_in_the_plural() {
    let point = &Type::Either(&[Type::Vec, Type::Array(&Type::Number)]);
    for (each, described) in [
        (&Type::Number, "an array of numbers"),
        (&Type::Entity, "an array of entities"),
        (&Type::Any, "an array of values"),
        (&Type::Array(&Type::Any), "an array of arrays of values"),
        (point, "an array of vecs or arrays of numbers"),
    ] {
        assert_eq!(Type::Array(each).describe(), described);
        assert_eq!(Type::Array(each).spoken(), described);
    }
}

#[test]
fn the_reference_page_lists_every_name() {
    let page = reference::markdown(api_entries(&calls_of_tests()));
    for hook in hooks() {
        let row = match hook.kind {
            HookKind::Event => format!("| `{}` | {} |", hook.name, hook.doc),
            _ => format!("| `{}` | {} |", hook.signature(), hook.doc),
        };
        assert!(page.contains(&row), "no row {row}");
        assert!(page.contains(hook.example), "no example of {}", hook.name);
        for field in hook.about.into_iter().flat_map(|shape| shape.fields()) {
            let row = format!("| `{}` |", field.name);
            assert!(page.contains(&row), "{} of {}", field.name, hook.name);
        }
    }
    for entry in api_entries(&calls_of_tests()) {
        let shown = page.contains(&format!("`{}`", entry.signature()));
        let as_me = page.contains(&format!("`me.{}`", entry.name));
        assert!(shown || as_me, "{}", entry.signature());
    }
    for item in language() {
        assert!(page.contains(&format!("`{}`", item.name)), "{}", item.name);
    }
    assert!(!page.contains("|  |"), "a table has an empty cell");
    let anchors = page.split("](#").skip(1).filter_map(|rest| rest.split(')').next());
    for anchor in anchors {
        let heading = page.lines().any(|line| {
            let title = line.trim_start_matches('#').trim();
            line.starts_with('#') && title.to_lowercase().replace(' ', "-").replace([':', '\''], "") == anchor
        });
        assert!(heading, "no heading #{anchor}");
    }
}

#[test]
fn api_prints_each_format() {
    let folder = Folder::empty();
    let printed = |format: &[&str]| {
        let done = run(folder.root(), &[&["api"], format].concat());
        assert_eq!(code(&done), 0);
        out(&done)
    };
    assert_eq!(printed(&[]), reference::markdown(api_entries(&calls_of_tests())));
    assert_eq!(printed(&["--format", "md"]), reference::markdown(api_entries(&calls_of_tests())));
    assert_eq!(printed(&["--format", "rhai"]), reference::definitions(api_entries(&calls_of_tests())));
    assert_eq!(printed(&["--format", "json"]), reference::json(api_entries(&calls_of_tests())));
    assert_eq!(code(&run(folder.root(), &["api", "--format", "html"])), 2);
}

#[test]
fn api_prints_what_a_name_means() {
    let folder = Folder::empty();
    let printed = |names: &[&str]| {
        let done = run(folder.root(), &[&["api"], names].concat());
        assert_eq!(code(&done), 0, "{names:?}: {}", err(&done));
        out(&done)
    };
    // Every entry, hook and tunable is found by its name, with its text.
    for entry in api_entries(&calls_of_tests()) {
        let name = format!("{}{}", entry.owner.prefix(), entry.name);
        let found = find_item(Rhai.reference(&calls_of_tests()), &name).unwrap_or_default();
        let item = found.iter().find(|item| item.title == entry.signature());
        let item = item.unwrap_or_else(|| panic!("{name} is not found"));
        assert!(item.text().contains(entry.doc) && item.text().contains(entry.unit), "{name}");
        let titles = |items: &[&ReferenceItem]| items.iter().map(|item| item.title.clone()).collect::<Vec<_>>();
        for in_lua in [name.replace("::", "."), name.replacen("me.", "me:", 1), name.replacen("t.", "t:", 1)] {
            let again = find_item(Rhai.reference(&calls_of_tests()), &in_lua).unwrap_or_default();
            assert_eq!(titles(&again), titles(&found), "{in_lua}");
        }
    }
    let printed_after = printed(&["me.after"]);
    let first = printed_after.split("\nme.after").next();
    assert_eq!(
        first.unwrap_or_default(),
        "me.after(seconds, name)\n  Calls this entity's `fn on_NAME(me)` after a delay, rounded to the nearest tick, never \
         the current one.\n  Takes `seconds`: a number (s), `name`: a custom event name.\n\n      \
         me.after(0.5, \"recovered\"); // fn on_recovered(me) { … }\n"
    );
    // A name alone is everything that is called that.
    let jump = printed(&["jump"]);
    for title in ["me.jump()", "fn on_jump(me)", "the map `jump`"] {
        assert!(jump.contains(title), "{title}: {jump}");
    }
    assert!(printed(&["platformer.jump_speed"]).contains("px/s"));
    assert_eq!(printed(&["me.jump", "world::tick()"]).matches("\n\n").count(), 3);
    let unknown = run(folder.root(), &["api", "me.jmp"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("scripts have no `me.jmp`; did you mean `me.jump`?"), "{}", err(&unknown));
    let unknown = run(folder.root(), &["api", "me.fly_to_the_moon"]);
    assert!(err(&unknown).contains("`hangtime api --search me.fly_to_the_moon` looks in descriptions, too"));
}

#[test]
fn api_search_finds_everything_with_these_words() {
    let folder = Folder::empty();
    let found = |words: &[&str]| out(&run(folder.root(), &[&["api", "--search"], words].concat()));
    let timers = found(&["timers"]);
    assert!(timers.contains("me.cancel(name): Cancels all of this entity's timers with this name.\n"), "{timers}");
    // Names come before descriptions, and each line has all words.
    let jumps = found(&["JUMP", "speed"]);
    assert!(jumps.lines().count() >= 2, "{jumps}");
    assert!(jumps.lines().next().is_some_and(|line| line.contains(".jump_speed: ")), "{jumps}");
    // Words of other engines find what the reference calls it.
    for (word, here) in [
        ("kill", "me.remove()"),
        ("killed", "me.remove()"),
        ("Raycast", "world::cast("),
        ("score", "world::keep("),
        ("health", "hud::bar("),
        ("collision", "on_touch"),
    ] {
        let said = found(&[word]);
        assert!(said.contains(here), "{word}: {said}");
    }
    let nothing = run(folder.root(), &["api", "--search", "teapot"]);
    assert_eq!((code(&nothing), out(&nothing).as_str()), (2, ""));
    assert!(err(&nothing).contains("nothing in the reference, the guide or the gallery contains `teapot`"));
    for wrong in [&["api", "jump", "--format", "json"][..], &["api", "jump", "--search", "jump"]] {
        assert_eq!(code(&run(folder.root(), wrong)), 2, "{wrong:?}");
    }
}

#[test]
fn api_search_of_several_words_finds_lines_of_code_the_gallery_and_the_guide() {
    let folder = Folder::empty();
    let found = |words: &[&str]| out(&run(folder.root(), &[&["api", "--search"], words].concat()));
    for (words, early, later) in [
        (&["save", "game"][..], "I want to save the game", ""),
        (&["Saving", "GAMES"], "I want to save the game", ""),
        (&["double", "jump"], "I want to make a double jump", "scripts/gallery/double_jump.rhai"),
        (&["double jump"], "I want to make a double jump", "scripts/gallery/double_jump.rhai"),
        (&["portal"], "I want to teleport, such as through a portal", "me.place("),
        (&["ice"], "scripts/gallery/ice_boots.rhai", "I want to slide on ice"),
        (&["state", "machines"], "scripts/README.md, \"State machines\"", "scripts/gallery/crusher.rhai"),
        (&["checkpoint", "respawn"], "I want to respawn at the checkpoint", ""),
        (&["health", "bar"], "I want to show a health bar", "hud::bar("),
        (&["elevator"], "lift", ""),
        (&["double", "teapot"], "double jump", ""),
    ] {
        let said = found(words);
        let first: Vec<&str> = said.lines().take(4).collect();
        assert!(first.iter().any(|line| line.contains(early)), "{words:?}: {said}");
        assert!(said.contains(later), "{words:?}: {said}");
    }
    // A word is found where it begins, so `ice` is not in `price` or `twice`.
    let words = |line: &str| {
        line.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word.starts_with("ice"))
    };
    let titles = found(&["ice"]);
    assert!(titles.lines().take(2).all(words), "{titles}");
    // Every line of the sheet is found by its own words, among the first.
    for (wish, code) in reference::wishes() {
        let first = wish.split([',', ':', '(']).next().unwrap_or_default();
        let words: Vec<&str> = first.split_whitespace().collect();
        assert!(
            found(&words).contains(&format!("I want to {wish}: {}", code.split(". ").next().unwrap_or_default())),
            "{wish}"
        );
    }
}

#[test]
fn api_json_matches_its_schema() {
    let all: serde_json::Value = serde_json::from_str(&reference::json(api_entries(&calls_of_tests()))).expect("JSON");
    assert_eq!(all["api"], 1);
    let list = |key: &str| all[key].as_array().expect(key).clone();
    assert_eq!(list("entries").len(), api_entries(&calls_of_tests()).len());
    assert_eq!(list("hooks").len(), hooks().count());
    for (key, fields) in [
        ("hooks", "name kind parameters about answers doc example"),
        ("entries", "topic owner name kind room signature parameters returns unit writable why_not doc example"),
        ("maps", "name fields"),
        ("language", "of name property"),
    ] {
        for line in list(key) {
            let mut has: Vec<&str> = line.as_object().expect(key).keys().map(String::as_str).collect();
            let mut said: Vec<&str> = fields.split(' ').collect();
            has.sort_unstable();
            said.sort_unstable();
            assert_eq!(has, said, "{line}");
        }
    }
    let maps = list("maps");
    let known = |name: &str| maps.iter().any(|map| map["name"] == name);
    for line in list("entries") {
        for part in line["returns"].as_str().expect("text").split('|') {
            let map = part.trim_matches(['[', ']']).strip_prefix("map:");
            assert!(map.is_none_or(known), "{line}");
        }
    }
    let jump = list("entries").into_iter().find(|e| e["name"] == "jump_to").expect("it is there");
    assert_eq!(jump["signature"], "me.jump_to(x, y, clearance)");
    assert_eq!(jump["parameters"][2]["unit"], "px");
}

/// Parses definitions like Rhai's language server: the part of the grammar that is used here.
struct Reader<'t> {
    left: &'t str,
}

impl Reader<'_> {
    fn space(&mut self) {
        loop {
            self.left = self.left.trim_start();
            let Some(rest) = self.left.strip_prefix("///") else {
                return;
            };
            self.left = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        self.space();
        match self.left.strip_prefix(word) {
            Some(rest) => {
                self.left = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, word: &str) {
        assert!(self.eat(word), "`{word}` was expected: {:.80}", self.left);
    }

    fn ident(&mut self) -> String {
        self.space();
        let end = self.left.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.left.split_at(end.unwrap_or(self.left.len()));
        let begins = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        assert!(begins, "a name was expected: {:.80}", self.left);
        self.left = rest;
        word.into()
    }

    fn list(&mut self, end: &str, mut item: impl FnMut(&mut Self)) {
        while !self.eat(end) {
            item(self);
            if !self.eat(",") {
                self.need(end);
                return;
            }
        }
    }

    fn a_type(&mut self) {
        if self.eat("?") {
        } else if self.eat("(") {
            self.list(")", Self::a_type);
        } else if self.eat("[") {
            self.list("]", Self::a_type);
        } else if self.eat("#{") {
            self.list("}", |r| {
                r.ident();
                r.need(":");
                r.a_type();
            });
        } else {
            self.ident();
        }
    }

    /// Reads one definition and returns its name.
    fn definition(&mut self) -> String {
        let name = match self.ident().as_str() {
            "type" => {
                let name = self.ident();
                self.need("=");
                self.a_type();
                name
            }
            "op" => {
                self.space();
                let end = self.left.find('(').expect("types follow");
                let (sign, rest) = self.left.split_at(end);
                self.left = &rest[1..];
                let sign = sign.to_string();
                self.list(")", Self::a_type);
                self.need("->");
                self.a_type();
                sign
            }
            "fn" => {
                let mut name = self.ident();
                if (name == "get" || name == "set") && !self.left.starts_with('(') {
                    name = self.ident();
                }
                self.need("(");
                self.list(")", |r| {
                    r.eat("...");
                    r.ident();
                    r.need(":");
                    r.a_type();
                });
                self.need("->");
                self.a_type();
                name
            }
            other => panic!("no definition begins with `{other}`"),
        };
        self.need(";");
        name
    }
}

#[test]
fn definitions_parse_as_the_language_server_expects() {
    let text = reference::definitions(api_entries(&calls_of_tests()));
    let mut reader = Reader { left: &text };
    reader.need("module");
    reader.need("static");
    reader.need(";");
    let mut names = Vec::new();
    loop {
        reader.space();
        if reader.left.is_empty() {
            break;
        }
        if reader.eat("module ") {
            assert!(["world", "hud", "camera"].contains(&reader.ident().as_str()));
            reader.need("{");
            while !reader.eat("}") {
                names.push(reader.definition());
            }
        } else {
            names.push(reader.definition());
        }
    }
    for entry in api_entries(&calls_of_tests()) {
        assert!(names.iter().any(|name| name == entry.name), "{}", entry.signature());
    }
}

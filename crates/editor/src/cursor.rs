//! What the cursor is at, from the text around it.

use super::*;
use hangtime_core::models::ModelName;
use hangtime_game::LANGUAGES;
use hangtime_script::{Language, ReferenceItem, ScriptHook, find_item};

/// The file that is edited, up to where the cursor is.
#[derive(Clone, Copy)]
pub struct EditedFile<'a> {
    /// Its path, in the folder of the game.
    pub path: &'a Path,
    /// Its text in the editor.
    pub text: &'a str,
    /// The byte at the cursor.
    pub offset: usize,
    /// What a script can call.
    pub api_set: ApiSet,
    /// The game as it was last saved.
    pub game: &'a GameCheck<'a>,
    /// The texts of all files that are open in the editor.
    pub open: &'a BTreeMap<PathBuf, String>,
}

/// A word of a script, with what precedes it.
pub struct CursorWord<'t> {
    /// The names before the word with dots between them, such as `me.vel`; or a module, such as `world`; empty for none.
    pub before: &'t str,
    /// Whether that is a module.
    pub module: bool,
    /// Whether something precedes the word, even if it is not known.
    pub is_member: bool,
    /// The word, up to the cursor.
    pub start: &'t str,
    /// The whole word.
    pub word: &'t str,
    /// Where the word begins.
    pub at: usize,
}

/// The end of a text, as far back as all characters fit.
fn last_part(text: &str, fits: impl Fn(char) -> bool) -> &str {
    &text[text.trim_end_matches(fits).len()..]
}

/// How TOML files write what differs between languages.
const TOML: Spelling = Spelling {
    scope: "",
    nothing: "",
    map: "{",
    entry: "=",
    variables: "",
    own_methods: false,
    method: "",
    function: "",
    body: ["", ""],
    variable: "",
    constant: "",
    comment: "#",
    quotes: &['"', '\''],
};

impl<'a> EditedFile<'a> {
    /// A file of a game with this text, with the cursor at its beginning.
    pub fn new(path: &'a Path, text: &'a str, game: &'a GameCheck<'a>, open: &'a BTreeMap<PathBuf, String>) -> Self {
        let functions = game.language_of(path).map_or_else(Vec::new, |language| language.functions(text));
        let api_set = if game.is_in_levels(path) || functions.iter().any(TextFunction::is_test) {
            ApiSet::Test
        } else {
            ApiSet::Behavior
        };
        Self { path, text, offset: 0, api_set, game, open }
    }

    /// The line up to the cursor.
    pub fn head(&self) -> &'a str {
        &self.text[line_start(self.text, self.offset)..self.offset]
    }

    /// The name of the file in the game.
    pub fn name(&self) -> String {
        self.game.name_of(self.path)
    }

    /// Whether it is a file of tuning, a kind or a level, not a script.
    pub fn is_toml(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "toml")
    }

    /// The language of the script; the usual one for another file.
    pub fn language(&self) -> &'static dyn Language {
        self.game.language_of(self.path).unwrap_or(LANGUAGES.first())
    }

    /// How the language writes what differs.
    pub fn spelling(&self) -> Spelling {
        if self.is_toml() { TOML } else { self.language().spelling() }
    }

    /// The word at the cursor.
    pub fn word(&self) -> CursorWord<'a> {
        let start = last_part(self.head(), in_word);
        let at = self.offset - start.len();
        let rest = &self.text[at..];
        let word = &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())];
        let head = &self.text[line_start(self.text, at)..at];
        let Spelling { scope, method, .. } = self.spelling();
        let marks = [scope, method, "."].into_iter().filter(|mark| !mark.is_empty());
        let owner = marks.into_iter().find_map(|mark| head.strip_suffix(mark));
        let before = owner.map_or("", |owner| last_part(owner, |c| in_word(c) || c == '.'));
        CursorWord {
            before,
            module: owner.is_some() && head.ends_with(scope) && (scope != "." || self.is_module(before)),
            is_member: owner.is_some(),
            start,
            word,
            at,
        }
    }

    /// The hook that the cursor is in, and the name of its second parameter.
    pub fn hook(&self) -> Option<(&'static ScriptHook, &'a str)> {
        let functions = self.language().functions(self.text);
        let function = functions.into_iter().rfind(|function| function.at <= self.offset)?;
        let mut parameters = function.parameters.split(',').map(str::trim).filter(|p| !p.is_empty());
        Some((find_hook(function.name)?, parameters.nth(1)?))
    }

    /// The owner of a word, if names tell.
    pub fn owner(&self, word: &CursorWord<'_>) -> Option<Owner> {
        match word.module {
            true => Owner::module(word.before),
            false if word.is_member => self.owner_of(word.before),
            false => Some(Owner::Free),
        }
    }

    /// The owner of a member after `path` and a dot in the script, if names tell.
    pub fn owner_of(&self, path: &str) -> Option<Owner> {
        if let Some((_, last)) = path.rsplit_once('.') {
            return self.is_vec_property(last).then_some(Owner::Vec);
        }
        let in_test = self.api_set == ApiSet::Test;
        match path {
            "me" if !in_test => return Some(Owner::Me),
            "t" if in_test => return Some(Owner::Test),
            _ => {}
        }
        let Spelling { scope, method, .. } = self.spelling();
        let value = self.value_of(path)?;
        if value.contains(&format!("world{scope}entity(")) {
            return Some(Owner::Entity);
        }
        let of_test = ["t.entity(", &format!("t{method}entity(")].iter().any(|call| value.starts_with(call));
        let calls = [
            (of_test, Owner::Live),
            (value.starts_with("play("), Owner::Test),
            (value.starts_with("vec("), Owner::Vec),
        ];
        if let Some((_, owner)) = calls.into_iter().find(|(is_called, _)| *is_called) {
            return Some(owner);
        }
        let (_, last) = value.trim_end_matches(';').rsplit_once('.')?;
        self.is_vec_property(last).then_some(Owner::Vec)
    }

    /// What the script sets a variable to.
    fn value_of(&self, variable: &str) -> Option<&'a str> {
        let declaration = format!("{} {variable} = ", self.spelling().variable);
        let at = self.text.find(&declaration)? + declaration.len();
        Some(self.text[at..].lines().next()?.trim())
    }

    /// The key of the script of the entity that a variable holds, if names tell.
    pub fn script_of(&self, variable: &str) -> Option<&'a String> {
        let (_, name) = self.value_of(variable)?.split_once("entity(")?;
        let name = name.split(self.spelling().quotes).nth(1)?;
        self.game.known().script_of_entity(name)
    }

    /// All calls and properties of its language.
    pub fn entries(&self) -> Vec<&'static ApiEntry> {
        self.language().entries(&calls_of_tests())
    }

    fn is_vec_property(&self, name: &str) -> bool {
        self.entries()
            .iter()
            .any(|entry| entry.name == name && entry.returns == Type::Vec && entry.parameters.is_empty())
    }

    /// The file that the script imports as a module.
    pub fn imported(&self, module: &str) -> Option<&'a Arc<SourceFile>> {
        self.game.imported(&self.name(), self.language().imported_as(self.text, module)?)
    }

    fn is_module(&self, name: &str) -> bool {
        Owner::module(name).is_some() || self.language().imported_as(self.text, name).is_some()
    }

    /// The model whose table of a TOML file the cursor is in.
    pub fn model(&self) -> Option<ModelName> {
        let before = &self.text[..line_start(self.text, self.offset)];
        // A line of an array may begin with a bracket, too.
        let header = before.lines().rev().find_map(header_of)?;
        ModelName::parse(header.rsplit('.').next()?.trim())
    }
}

/// The name in the header of a table, if a line is one.
fn header_of(line: &str) -> Option<&str> {
    let line = line.split('#').next()?.trim();
    let name = line.trim_start_matches('[').trim_end_matches(']').trim();
    let plain = |c: char| c.is_alphanumeric() || "_-. \"".contains(c);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"');
    (line.starts_with('[') && line.ends_with(']') && is_name && name.chars().all(plain)).then_some(name)
}

/// The text of the reference about a name, as Markdown. A language without one has the usual one's, without its examples.
pub fn described(language: &dyn Language, name: &str) -> Option<String> {
    let own = language.reference(&calls_of_tests());
    let usual = LANGUAGES.first();
    let reference = if own.is_empty() { usual.reference(&calls_of_tests()) } else { own };
    let text = |item: &ReferenceItem| {
        if !own.is_empty() {
            return item.markdown();
        }
        let title = item.title.replace(usual.spelling().scope, language.spelling().scope);
        ReferenceItem { title, example: "", ..item.clone() }.markdown()
    };
    let texts: Vec<String> = find_item(reference, name).ok()?.into_iter().map(text).collect();
    Some(texts.join("\n\n---\n\n"))
}

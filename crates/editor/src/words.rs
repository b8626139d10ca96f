//! What each word of a file names in the game: the same for completion, references and renaming.

use super::*;

/// What a text in a script or TOML file names.
#[derive(Clone, Copy, PartialEq)]
pub enum TextRole {
    /// One of a set of names.
    Names(Names),
    /// A color.
    Color,
    /// The path of a script.
    Script,
    /// A state of the script.
    State,
    /// Nothing: it is shown or logged.
    Plain,
}

/// What a word can name, apart from what is the same in every game.
#[derive(Clone, Copy, PartialEq)]
pub enum NamedThing {
    /// A variable or parameter of a function.
    Local,
    /// A function, constant or module of a file.
    InFile,
    /// A variable of the entities with a script.
    Variable,
    /// A state of a script.
    State,
    /// A name of the whole game.
    InGame(Names),
}

/// What a word names.
#[derive(PartialEq)]
pub struct NamedWord {
    pub thing: NamedThing,
    /// The file, or the function in it, that the name is known in; empty for the whole game.
    pub home: String,
    pub name: String,
}

/// A file as its words, without comments.
pub struct Words<'a> {
    pub file: EditedFile<'a>,
    pub all: Vec<Lexeme<'a>>,
    /// What opens the bracket or block that each is in.
    openers: Vec<Option<usize>>,
    /// The names that a script declares outside of functions.
    declared: BTreeSet<&'a str>,
    /// The keys that lead to each word of a TOML file, and whether it is one of them.
    keys: Vec<(String, bool)>,
    entries: Vec<&'static ApiEntry>,
}

impl<'a> Words<'a> {
    pub fn of(file: &EditedFile<'a>) -> Self {
        let spelling = file.spelling();
        let (mut all, _) = lexemes(file.text, &spelling);
        all.retain(|lexeme| lexeme.kind != LexemeKind::Comment);
        let declares = |pair: &&[Lexeme<'a>]| {
            pair[0].depth == 0 && [spelling.function, spelling.constant, "as"].iter().any(|word| pair[0].is(word))
        };
        let declared = all.windows(2).filter(declares).map(|pair| pair[1].text).collect();
        let mut open: Vec<usize> = Vec::new();
        let mut openers = Vec::with_capacity(all.len());
        for (i, lexeme) in all.iter().enumerate() {
            open.truncate(lexeme.depth);
            openers.push(open.last().copied());
            if lexeme.opens {
                open.push(i);
            }
        }
        let (keys, entries) = if file.is_toml() {
            (toml_keys(file.text, &all), Vec::new())
        } else {
            (Vec::new(), file.entries())
        };
        Self { file: *file, all, openers, declared, keys, entries }
    }

    /// The word or text at a byte.
    pub fn at(&self, offset: usize) -> Option<usize> {
        let is_at = |it: &Lexeme<'_>| it.kind != LexemeKind::Sign && it.at <= offset && offset <= it.end();
        self.all.iter().rposition(is_at)
    }

    /// The text in quotes that a byte is in.
    pub fn text_at(&self, offset: usize) -> Option<usize> {
        let is_in = |it: &Lexeme<'_>| it.inside().is_some_and(|inside| inside.start <= offset && offset <= inside.end);
        self.all.iter().rposition(is_in)
    }

    /// The word or sign this far before or after another one, empty if there is none.
    fn near(&self, i: usize, by: isize) -> &'a str {
        let near = i.checked_add_signed(by).and_then(|i| self.all.get(i));
        near.filter(|it| it.kind != LexemeKind::Text).map_or("", |it| it.text)
    }

    /// What opens the bracket or block that a word is in.
    pub fn opener(&self, i: usize) -> Option<usize> {
        self.openers[i]
    }

    /// Which argument of the call with this bracket a word is in, from 0.
    pub fn argument(&self, bracket: usize, i: usize) -> usize {
        let depth = self.all[bracket].depth + 1;
        self.all[bracket..i].iter().filter(|it| it.is(",") && it.depth == depth).count()
    }

    /// The calls with the name before a bracket, on the value before it if that is known.
    pub fn calls(&self, bracket: usize) -> Vec<&'static ApiEntry> {
        let api_set = self.file.api_set;
        let Some(name) = bracket.checked_sub(1).map(|i| self.all[i]) else {
            return Vec::new();
        };
        let cursor = EditedFile { offset: name.end(), ..self.file }.word();
        let owner = self.file.owner(&cursor);
        let named =
            |it: &&ApiEntry| it.name == name.text && it.api_set.is_in(api_set) && it.kind == EntryKind::Function;
        let found: Vec<&ApiEntry> = self.entries.iter().copied().filter(named).collect();
        let owned: Vec<&ApiEntry> = found.iter().copied().filter(|it| Some(it.owner) == owner).collect();
        if owner.is_none() && !cursor.module { found } else { owned }
    }

    /// What a text names; none if that is not known.
    pub fn role(&self, i: usize) -> Option<TextRole> {
        if let Some((keys, is_key)) = self.keys.get(i) {
            return if *is_key { None } else { role_of_key(keys) };
        }
        let map = self.file.spelling().entry.trim();
        match self.near(i, -1) {
            "import" => return Some(TextRole::Script),
            "==" | "!=" | "~=" => return self.role_of_member(i.wrapping_sub(2)),
            sign if sign == map && self.near(i, -2) == "color" => return Some(TextRole::Color),
            "=" => return self.role_of_member(i.wrapping_sub(2)),
            _ => {}
        }
        let bracket = self.opener(i)?;
        if ["=>", "|"].contains(&self.near(i, 1)) || self.near(i, -1) == "|" {
            return self.role_of_member(bracket.checked_sub(1)?);
        }
        if !self.all[bracket].is("(") {
            return None;
        }
        let number = self.argument(bracket, i);
        match self.near(bracket, -1) {
            "require" => return Some(TextRole::Script),
            "become" if number == 1 => return Some(TextRole::State),
            _ => {}
        }
        let calls = self.calls(bracket);
        let taken: Vec<Type> = calls.iter().filter_map(|call| Some(call.parameters.get(number)?.takes)).collect();
        let names = taken.iter().find_map(Type::names);
        names.map(TextRole::Names).or((!taken.is_empty()).then_some(TextRole::Plain))
    }

    /// What a property or field with this name is equal to.
    fn role_of_member(&self, i: usize) -> Option<TextRole> {
        let member = self.all.get(i).filter(|it| it.kind == LexemeKind::Name)?;
        let variables = self.file.spelling().variables;
        match member.text {
            "color" => return Some(TextRole::Color),
            "state" if self.near(i, -2) == variables => return Some(TextRole::State),
            _ if self.near(i, -1) != "." || [variables, "vars"].contains(&self.near(i, -2)) => return None,
            _ => {}
        }
        let of_fields = || hooks().find_map(|hook| hook.about?.field(member.text)?.holds.names());
        let properties = self.entries.iter().filter(|it| it.name == member.text && it.parameters.is_empty());
        properties
            .into_iter()
            .find_map(|it| it.returns.names())
            .or_else(of_fields)
            .map(TextRole::Names)
    }

    /// What a word names, and the part of it that is the name.
    pub fn named(&self, i: usize) -> Option<(NamedWord, Range<usize>)> {
        let lexeme = self.all[i];
        let span = lexeme.inside().unwrap_or(lexeme.at..lexeme.end());
        let found = |thing, home: String, span: Range<usize>| {
            let name = self.file.text[span.clone()].to_string();
            Some((NamedWord { thing, home, name }, span))
        };
        if let Some((keys, true)) = self.keys.get(i) {
            let name = &self.file.text[span.clone()];
            return match keys.strip_suffix(name)? {
                "vars." | "entity.vars." => found(NamedThing::Variable, self.script_of_table(i)?, span),
                "sounds." if self.is_event(name) => found(NamedThing::InGame(Names::Event), String::new(), span),
                "sounds." => found(NamedThing::InGame(Names::Sound), String::new(), span),
                _ => None,
            };
        }
        if lexeme.kind == LexemeKind::Text {
            let name = &self.file.text[lexeme.inside()?];
            let known = self.file.game.known();
            return match self.role(i)? {
                TextRole::State => {
                    let home = if self.keys.is_empty() {
                        Some(self.file.name())
                    } else {
                        self.script_of_table(i)
                    };
                    found(NamedThing::State, home?, span)
                }
                TextRole::Names(Names::Event | Names::OwnEvent) => {
                    found(NamedThing::InGame(Names::Event), String::new(), span)
                }
                // An entity without a name is named after its kind.
                TextRole::Names(Names::Entity) if !known.entities.contains(name) && known.kinds.contains(name) => {
                    found(NamedThing::InGame(Names::Kind), String::new(), span)
                }
                TextRole::Names(names) => {
                    let is_listed = names.fixed().is_none() && names != Names::Setting;
                    found(NamedThing::InGame(names), String::new(), span).filter(|_| is_listed)
                }
                _ => None,
            };
        }
        if lexeme.kind == LexemeKind::Sign || !self.keys.is_empty() || self.file.is_toml() {
            return None;
        }
        self.named_name(i)
            .and_then(|(thing, home, skipped)| found(thing, home, span.start + skipped..span.end))
    }

    /// What a name in a script is, where that is known, and how many bytes before the name do not belong to it.
    fn named_name(&self, i: usize) -> Option<(NamedThing, String, usize)> {
        let word = self.all[i].text;
        let spelling = self.file.spelling();
        let is_member = [".", spelling.scope, spelling.method].contains(&self.near(i, -1));
        let home = self.file.name();
        if is_member {
            let owner = self.near(i, -2);
            let holder = self.near(i, -4);
            return if owner == spelling.variables && self.near(i, -3) != "." {
                let is_call = spelling.own_methods && self.near(i, 1) == "(" && self.declared.contains(word);
                Some((if is_call { NamedThing::InFile } else { NamedThing::Variable }, home, 0))
            } else if owner == "vars" {
                Some((NamedThing::Variable, self.script_of_variables(holder, word)?, 0))
            } else if let Some(module) = self.file.imported(owner) {
                Some((NamedThing::InFile, module.name.clone(), 0))
            } else {
                // A module of Lua is a table of its file.
                let mut functions = self.file.language().module_functions(self.file.text).into_iter();
                let is_own = self.declared.contains(owner) && functions.any(|it| it.name == word);
                is_own.then_some((NamedThing::InFile, home, 0))
            };
        }
        let is_key = self.near(i, 1) == spelling.entry.trim()
            && self.opener(i).is_some_and(|o| self.near(o, 0) == spelling.map.trim());
        if is_key || word == spelling.variables {
            return None;
        }
        if let Some(begin) = self.function_around(i) {
            let end = (i..self.all.len()).find(|j| self.all[*j].depth == 0).unwrap_or(self.all.len());
            if (begin..end).any(|j| self.all[j].is(word) && self.declares(j)) {
                return Some((NamedThing::Local, format!("{home}:{}", self.all[begin].at), 0));
            }
        }
        if !self.declared.contains(word) {
            return None;
        }
        match (word.strip_prefix("on_"), word.strip_prefix("state_")) {
            (Some(_), _) => Some((NamedThing::InGame(Names::Event), String::new(), 3)),
            (_, Some(_)) => Some((NamedThing::State, home, 6)),
            _ => Some((NamedThing::InFile, home, 0)),
        }
    }

    /// Where the function that a word is in begins.
    fn function_around(&self, i: usize) -> Option<usize> {
        let keyword = self.file.spelling().function;
        let begin = self.all[..i].iter().rposition(|it| it.depth == 0 && it.is(keyword))?;
        (self.all[i].depth > 0 && begin + 1 < i).then_some(begin)
    }

    /// Whether a word in a function declares a variable or parameter.
    fn declares(&self, i: usize) -> bool {
        let Spelling { function, variable, constant, .. } = self.file.spelling();
        let mut first = i;
        while self.near(first, -1) == "," && self.near(first, -2).starts_with(in_word) {
            first -= 2;
        }
        match self.near(first, -1) {
            "(" => {
                // The name of a function of Lua may have dots.
                let is_name = |at: usize, by| self.near(at, by).starts_with(in_word);
                let mut name = if is_name(first - 1, -1) { first - 2 } else { first - 1 };
                while [".", ":"].contains(&self.near(name, -1)) && is_name(name, -2) {
                    name -= 2;
                }
                self.near(name, -1) == function || [function, "for", "catch"].contains(&self.near(name, 0))
            }
            "|" => {
                let mut last = i;
                while self.near(last, 1) == "," {
                    last += 2;
                }
                let before = self.near(first, -2);
                self.near(last, 1) == "|" && !before.is_empty() && !before.ends_with(in_word) && before != ")"
            }
            before => [variable, constant, "for"].contains(&before),
        }
    }

    /// The file of the script whose variables a value has.
    fn script_of_variables(&self, value: &str, variable: &str) -> Option<String> {
        let known = self.file.game.known();
        if let Some(key) = self.file.script_of(value) {
            return self.script_file(key);
        }
        let mut holders = known.vars_of.iter().filter(|(_, variables)| variables.contains(variable));
        let (key, _) = holders.next()?;
        if holders.next().is_some() { None } else { self.script_file(key) }
    }

    fn script_file(&self, key: &str) -> Option<String> {
        Some(self.file.game.scripts().get(key)?.name.clone())
    }

    /// The file of the script whose variables the table of a TOML file sets.
    fn script_of_table(&self, i: usize) -> Option<String> {
        let game = self.file.game;
        let (keys, _) = &self.keys[i];
        let (prefix, begin, end) = if keys.starts_with("entity.") {
            let is_next =
                |j: &usize| self.near(*j, 0) == "[" && self.near(*j, 1) == "[" && self.near(*j, 2) == "entity";
            let end = (i..self.all.len()).find(is_next).unwrap_or(self.all.len());
            ("entity.", (0..i).rev().find(is_next)?, end)
        } else {
            ("", 0, self.all.len())
        };
        let value = |key: &str| {
            let wanted = (format!("{prefix}{key}"), false);
            let mut values = (begin..end).filter(|j| self.keys[*j] == wanted);
            values.find_map(|j| self.all[j].inside().map(|inside| &self.file.text[inside]))
        };
        let name = self.file.name();
        if let Some(path) = value("script").or_else(|| value("scripts")) {
            return Some(game.named_script(&name, path)?.name.clone());
        }
        let kind = if prefix.is_empty() {
            game.kind_in(self.file.path)
        } else {
            value("kind").map(String::from)
        };
        self.script_file(game.known().kind_scripts.get(&kind?)?)
    }

    fn is_event(&self, name: &str) -> bool {
        texts_of(Names::Event, self.file.game).iter().any(|it| it == name)
    }
}

/// What the value of a key in a TOML file names.
fn role_of_key(keys: &str) -> Option<TextRole> {
    let (table, key) = keys.rsplit_once('.').unwrap_or(("", keys));
    let names = match (table, key) {
        ("vars" | "entity.vars", "state") => return Some(TextRole::State),
        ("vars" | "entity.vars", _) => return None,
        (_, "script" | "scripts") => return Some(TextRole::Script),
        (_, "kind") => Names::Kind,
        (_, "surface") => Names::Surface,
        (_, "model") => Names::Model,
        (_, "sheet") => Names::Picture,
        ("entity", "name") => Names::Entity,
        ("solid", "name") => Names::Solid,
        ("zone", "name") => Names::Zone,
        _ => return Some(TextRole::Plain),
    };
    Some(TextRole::Names(names))
}

/// The most brackets whose keys lead to a word. What is deeper names nothing.
const MOST_NESTED: usize = 8;

/// The keys that lead to each lexeme of a TOML file, such as `entity.vars.coins`, and whether it is one of them.
fn toml_keys(text: &str, all: &[Lexeme<'_>]) -> Vec<(String, bool)> {
    let (mut header, mut key) = (String::new(), String::new());
    // The keys of the brackets that are open, and whether they are tables.
    let mut open: Vec<(String, bool)> = Vec::new();
    let (mut in_header, mut is_value) = (false, false);
    let mut last = 0;
    let mut found = Vec::with_capacity(all.len());
    for lexeme in all {
        if lexeme.depth == 0 && (last == 0 || text[last..lexeme.at].contains('\n')) {
            (key, is_value, in_header) = (String::new(), false, lexeme.is("["));
            open.clear();
            if in_header {
                header.clear();
            }
        }
        last = lexeme.end();
        let is_sign = lexeme.kind == LexemeKind::Sign;
        if !is_sign && (in_header || !is_value) {
            let part = lexeme.inside().map_or(lexeme.text, |inside| &text[inside]);
            let whole = if in_header { &mut header } else { &mut key };
            if !whole.is_empty() {
                whole.push('.');
            }
            whole.push_str(part);
        }
        match lexeme.text {
            _ if !is_sign || in_header => {}
            "[" | "{" => {
                open.push((mem::take(&mut key), lexeme.text == "{"));
                is_value = lexeme.text == "[";
            }
            "]" | "}" => (key, is_value) = (open.pop().map_or_else(String::new, |(key, _)| key), true),
            "," => (key, is_value) = (String::new(), open.last().is_none_or(|(_, is_table)| !is_table)),
            "=" => is_value = true,
            _ => {}
        }
        let parts = [header.as_str()]
            .into_iter()
            .chain(open.iter().take(MOST_NESTED).map(|(key, _)| key.as_str()))
            .chain([key.as_str()]);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        found.push((parts.join("."), !is_sign && !in_header && !is_value));
    }
    found
}

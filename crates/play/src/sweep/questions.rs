//! What a sweep asks about each run: measures, whether it passed, and what to maximize.

use super::*;
use crate::calls::{TestLevel, TestSession};
use hangtime_core::sim::Start;
use hangtime_script::{
    ExpressionValue, Expressions, FinishedRun, Language, MayEmit, Sources,
    api::{ApiEntry, EntryKind, Owner},
    calls::Object,
};

/// Which of the values of an expression is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepGoal {
    /// The largest.
    Maximize,
    /// The smallest.
    Minimize,
}

impl SweepGoal {
    /// The option that asks for it.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Maximize => "--maximize",
            Self::Minimize => "--minimize",
        }
    }

    /// Whether the first of two values is better.
    pub fn is_better(self, a: f64, b: f64) -> bool {
        match self {
            Self::Maximize => a > b,
            Self::Minimize => a < b,
        }
    }
}

/// What to ask, as on the command line.
#[derive(Clone, Debug, Default)]
pub struct SweepAsks {
    /// Each is an expression, or `NAME=EXPR`. Empty for where the players end.
    pub measures: Vec<String>,
    /// An expression that is true or false.
    pub pass: Option<String>,
    /// The name of a test that has to pass under the settings of the run.
    pub pass_test: Option<String>,
    /// An expression whose best value is looked for.
    pub best: Option<(SweepGoal, String)>,
}

impl SweepAsks {
    /// The expressions, each with the option that it comes from.
    pub(super) fn expressions(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let pass = self.pass.iter().map(|text| ("--pass", text.as_str()));
        let measures = self.measures.iter().map(|measure| ("--measure", named(measure).1));
        let best = self.best.iter().map(|(goal, text)| (goal.option(), text.as_str()));
        pass.chain(measures).chain(best)
    }
}

/// A column of measured values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepColumn {
    /// Its title.
    pub name: String,
    /// Its unit; empty if it is not known.
    pub unit: &'static str,
}

/// The questions, ready to be answered for each run.
pub struct SweepQuestions {
    expressions: Box<dyn Expressions>,
    files: Vec<Arc<SourceFile>>,
    may_emit: MayEmit,
    /// The columns of measures.
    pub columns: Vec<SweepColumn>,
    /// The players whose positions are the measures, if there are no others.
    players: Vec<Arc<str>>,
    has_pass: bool,
    measures: usize,
    /// The goal, and the title of what it is about.
    pub goal: Option<(SweepGoal, String)>,
}

/// The answers for one run.
#[derive(Clone, Debug, Default)]
pub struct SweepAnswers {
    pub cells: Vec<Value>,
    pub passed: Option<bool>,
    pub best: Option<f64>,
}

impl SweepQuestions {
    /// Compiles the questions about runs that begin with these entities.
    pub fn new(
        asks: &SweepAsks,
        starts: &[Start],
        language: &dyn Language,
        sources: Arc<Sources>,
    ) -> Result<Self, Error> {
        let may_emit = language.emitted(sources.clone());
        let calls = TestSession::new(None, may_emit.clone()).calls_of_runs();
        let file = |(option, text): (&str, &str)| Arc::new(SourceFile { name: option.into(), text: text.into() });
        let files: Vec<_> = asks.expressions().map(file).collect();
        let column = |measure: &String| {
            let (name, text) = named(measure);
            SweepColumn { name: name.unwrap_or(text).trim().into(), unit: unit_of(text, &language.entries(&calls)) }
        };
        let mut columns: Vec<SweepColumn> = asks.measures.iter().map(column).collect();
        let mut seen = BTreeSet::new();
        if let Some(second) = columns.iter().find(|column| !seen.insert(&column.name)) {
            let name = printable_name(&second.name);
            let message =
                format!("two columns would be named `{name}`; name one of them, as in --measure 'other={name}'");
            return Err(Diagnostic::about_file("--measure", message).into());
        }
        let mut players = Vec::new();
        if asks.measures.is_empty() {
            let mut controlled: Vec<&Start> = starts.iter().filter(|s| s.player.is_some()).collect();
            controlled.sort_by_key(|start| start.player);
            players.extend(controlled.iter().map(|start| start.name.clone()));
            columns.extend(
                players
                    .iter()
                    .flat_map(|name| ["x", "y"].map(|axis| SweepColumn { name: format!("{name}.{axis}"), unit: "px" })),
            );
        }
        if columns.is_empty() && files.is_empty() {
            let message = "no player is in this level, so there is nothing to measure; add --measure, as \
                           in --measure 't.events(\"land\").len()'";
            return Err(Diagnostic::about_file("--measure", message).into());
        }
        Ok(Self {
            expressions: language.compile_expressions(&files, sources, &calls)?,
            files,
            may_emit,
            columns,
            players,
            has_pass: asks.pass.is_some(),
            measures: asks.measures.len(),
            goal: asks.best.as_ref().map(|(goal, text)| (*goal, text.trim().into())),
        })
    }

    /// Whether runs are asked whether they pass.
    pub fn has_pass(&self) -> bool {
        self.has_pass
    }

    /// Whether a word is in one of the expressions.
    pub fn mention(&self, word: &str) -> bool {
        let within = |c: char| c.is_alphanumeric() || c == '_';
        self.files.iter().any(|file| file.text.split(|c| !within(c)).any(|known| known == word))
    }

    /// Answers all questions about a finished run. It began with these `entities`.
    pub fn answer(&self, game: TestGame, entities: &[String]) -> Result<SweepAnswers, Box<ExpressionError>> {
        let mut answers = SweepAnswers::default();
        let world = game.live.world();
        for name in &self.players {
            let at = world.entity(name).map(|entity| world.body(entity).pos);
            answers.cells.extend([at.map(|at| at.x).into(), at.map(|at| at.y).into()]);
        }
        let now: Vec<&str> = world.entities().iter().map(|entity| &*entity.name).collect();
        let gone = entities.iter().map(String::as_str).filter(|name| !now.contains(name));
        let names = ["t"].into_iter().chain(now.iter().copied()).chain(gone).map(String::from).collect();
        let session = TestSession::new(None, self.may_emit.clone());
        let t = TestLevel::new(game, &session).map_err(|refusal| {
            let diagnostic = Diagnostic::about_file("--measure", refusal.to_string());
            Box::new(ExpressionError { diagnostic, of_run: true })
        })?;
        let run = self.expressions.finished(names, &|name| match name {
            "t" => Object::new(t.clone()),
            entity => Object::new(t.live(entity)),
        });
        if self.has_pass {
            answers.passed = Some(self.pass(&*run)?);
        }
        let from = usize::from(self.has_pass);
        for index in from..from + self.measures {
            answers.cells.push(self.measure(index, &*run, answers.passed)?);
        }
        if self.goal.is_some() {
            let index = from + self.measures;
            answers.best = match self.measure(index, &*run, answers.passed)? {
                Value::Null => None,
                Value::Number(number) => number.as_f64(),
                _ => return Err(self.wrong(index, "this must be a number")),
            };
        }
        Ok(answers)
    }

    fn wrong(&self, index: usize, message: &str) -> Box<ExpressionError> {
        let file = &self.files[index];
        let whole = Place::new(file, 0..file.text.len());
        Box::new(ExpressionError { diagnostic: Diagnostic::error(whole, message), of_run: false })
    }

    fn pass(&self, run: &dyn FinishedRun) -> Result<bool, Box<ExpressionError>> {
        let kind = match run.evaluate(0, None)? {
            ExpressionValue::Flag(flag) => return Ok(flag),
            ExpressionValue::Nothing => "`()`",
            ExpressionValue::Whole(_) | ExpressionValue::Number(_) => "a number",
            ExpressionValue::Text(_) => "text",
            ExpressionValue::Other(kind) => kind,
        };
        let message = format!("this must be true or false, not {kind}; compare it, as in `hero.x > 100`");
        Err(self.wrong(0, &message))
    }

    fn measure(
        &self,
        index: usize,
        run: &dyn FinishedRun,
        passed: Option<bool>,
    ) -> Result<Value, Box<ExpressionError>> {
        Ok(match run.evaluate(index, passed)? {
            ExpressionValue::Nothing => Value::Null,
            ExpressionValue::Flag(flag) => flag.into(),
            ExpressionValue::Whole(x) => x.into(),
            ExpressionValue::Number(x) if x.is_finite() => x.into(),
            ExpressionValue::Text(text) => cut(&text, MOST_TEXT).into(),
            ExpressionValue::Number(x) => {
                let mut wrong = self.wrong(index, &format!("this is {x}, which is not a finite number"));
                wrong.of_run = true;
                return Err(wrong);
            }
            ExpressionValue::Other(kind) => {
                let message = format!(
                    "this must be a number, true or false, or text, not {kind}; of a vec take `.x`, of an \
                     array `.len()`"
                );
                return Err(self.wrong(index, &message));
            }
        })
    }
}

/// Splits `NAME=EXPR`. Without a name all is the expression.
fn named(text: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        let name = name.trim();
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || "_- .".contains(c))
    };
    match text.split_once('=') {
        Some((name, rest)) if is_name(name) && !rest.starts_with(['=', '>']) => (Some(name), rest),
        _ => (None, text),
    }
}

/// The unit of an expression that is a single property or call, such as `hero.x`; empty for any other.
fn unit_of(text: &str, entries: &[&ApiEntry]) -> &'static str {
    let is_word = |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let text = text.trim();
    if let Some(inside) = ["highest(", "farthest("].iter().find_map(|f| text.strip_prefix(f)) {
        return if inside.strip_suffix(')').is_some_and(is_word) { "px" } else { "" };
    }
    let mut parts = text.split('.');
    let (Some(object), Some(name), rest, None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return "";
    };
    if !is_word(object) || !rest.is_none_or(|part| ["x", "y", "z"].contains(&part)) {
        return "";
    }
    let owner = if object == "t" { Owner::Test } else { Owner::Live };
    let is_it = |kind| matches!(kind, EntryKind::Property(_));
    entries
        .iter()
        .find(|e| e.owner == owner && e.name == name && is_it(e.kind))
        .map_or("", |entry| entry.unit)
}

#[cfg(test)]
#[path = "../../tests/unit/sweep/questions.rs"]
mod tests;

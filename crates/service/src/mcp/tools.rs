//! The tools: one declaration each, from which `tools/list`, the page and calls are made.

use super::*;
use hangtime_script::prose;
use schemars::{
    Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform as _},
};
use serde::de::DeserializeOwned;
use std::fmt::Write as _;

/// A tool.
pub struct Tool {
    /// Its name in messages.
    pub name: &'static str,
    /// Its name for people.
    title: &'static str,
    /// What it does and when to use it.
    about: &'static str,
    /// Whether it can change files of the game.
    changes_files: bool,
    /// The schema of its arguments.
    schema: fn() -> Json,
    /// Carries out a call.
    pub call: fn(&McpGame, Option<&RawValue>, &CallEnd) -> ToolResult,
}

/// Declares the tools: what they do, their names, the types of their arguments and the functions that carry them out.
macro_rules! tools {
    ($($(#[doc = $line:literal])+ $name:literal, $title:literal, $changes:literal: $carry_out:ident($Params:ty);)+) => {
        /// All tools, as they are listed.
        pub static TOOLS: [Tool; [$($name),+].len()] = [$(Tool {
            name: $name,
            title: $title,
            about: prose!($(#[doc = $line])+),
            changes_files: $changes,
            schema: schema_of::<$Params>,
            call: |game, arguments, end| $carry_out(game, read_arguments::<$Params>(arguments)?, end),
        }),+];
    };
}

tools! {
    /// Lists the files of the game by their paths: numbers of models and kinds in config/, scripts in scripts/, levels,
    /// inputs and tests in levels/. Start here.
    "list_files", "List files", false: list_files(ListFilesParams);
    /// Reads a file that list_files lists. Texts come exactly as they are; pictures come as images.
    "read_file", "Read a file", false: read_file(ReadFileParams);
    /// Looks up what scripts and tests can call, the hooks and events, and every number that files can set. The exact
    /// name of one gives all about it, with an example; any other words list what is about them.
    "search_reference", "Search the reference", false: search_reference(SearchParams);
    /// Checks edits of files in a copy of the game, as check_game does, and refuses all of them if they have errors or
    /// cause some elsewhere: the messages say file, line and column. If the server was started with `--write`, edits
    /// without errors are saved, and a running window takes them up at once. Without it nothing is ever written, and the
    /// answer says so. Edits that need each other belong into one call.
    "propose_edit", "Propose an edit", true: propose_edit(EditParams);
    /// Checks scripts, numbers, levels and tests for errors and warnings without running them.
    "check_game", "Check the game", false: check_game(CheckGameParams);
    /// Plays a level from its start, without a window, and shows how it ends: the state of each entity, what happened,
    /// what scripts printed, and their errors. It can also show a trace of ticks, why entities moved or were refused a
    /// jump or a hook, pictures, and a film. Nothing is written.
    "run_level", "Run a level", false: run_level(RunLevelParams);
    /// Runs the tests of the game: functions `test_…` of scripts in levels/tests, recorded inputs, and the `[expect]` of
    /// kinds. Shows the failures with their lines, expected and actual values.
    "run_tests", "Run tests", false: run_tests(RunGameTestsParams);
    /// Measures how a kind moves: jump height, air time, gap, stopping distance and more, in px and s.
    "measure_feel", "Measure the feel", false: measure_feel(FeelParams);
}

impl Tool {
    /// The tool with this name.
    ///
    /// # Errors
    /// If there is none: the nearest one.
    pub fn find(name: &str) -> Result<&'static Self, RpcError> {
        let found = TOOLS.iter().find(|tool| tool.name == name);
        found.ok_or_else(|| RpcError::unknown("name", ("tool", name), TOOLS.iter().map(|tool| tool.name)))
    }

    /// How it is listed by a server that may write files or not.
    pub fn json(&self, writes: bool) -> Json {
        let changes = self.changes_files && writes;
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.about,
            "inputSchema": (self.schema)(),
            "annotations": {
                "title": self.title,
                "readOnlyHint": !changes,
                "destructiveHint": changes,
                "idempotentHint": !changes,
                "openWorldHint": false,
            },
        })
    }
}

/// The tools and their arguments as a table, for the page about them.
pub fn tool_table() -> String {
    let mut table = String::from("| tool | does | arguments |\n|---|---|---|\n");
    for tool in &TOOLS {
        let schema = (tool.schema)();
        let names = schema["properties"].as_object().into_iter().flat_map(|all| all.keys());
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        // Writing into memory does not fail.
        let _ = writeln!(table, "| `{}` | {} | {} |", tool.name, tool.about, names.join(", "));
    }
    table
}

/// The schema of arguments, without references and without formats that only some clients know.
fn schema_of<P: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.for_deserialize().into_generator().into_root_schema_for::<P>();
    RecursiveTransform(|part: &mut Schema| drop(part.remove("format"))).transform(&mut schema);
    for key in ["$schema", "title", "description"] {
        schema.remove(key);
    }
    schema.to_value()
}

/// Reads arguments.
///
/// # Errors
/// What is wrong with them, for the assistant.
fn read_arguments<P: DeserializeOwned>(arguments: Option<&RawValue>) -> Result<P, ToolError> {
    read_params(arguments).map_err(|error| {
        let ToolError(text) = error.into();
        ToolError(text.replacen("params", "arguments", 1))
    })
}

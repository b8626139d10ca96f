//! `api`: the script API, generated from the functions that are registered.

use super::output::{SUCCESS, say};
use crate::script::rhai::reference;
use clap::{Args, ValueEnum};

/// Arguments of `api`.
#[derive(Args)]
pub struct ApiArguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = ApiFormat::Md)]
    format: ApiFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ApiFormat {
    /// Markdown, for reading
    Md,
    /// Definitions for Rhai's language server, for editors
    Rhai,
    /// JSON, for programs
    Json,
}

/// Runs the command and returns the exit code.
pub fn api(arguments: &ApiArguments) -> u8 {
    let text = match arguments.format {
        ApiFormat::Md => reference::markdown(),
        ApiFormat::Rhai => reference::definitions(),
        ApiFormat::Json => reference::json(),
    };
    say(text.trim_end());
    SUCCESS
}

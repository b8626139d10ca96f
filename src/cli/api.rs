//! `api`: the reference of what scripts can call, from what is registered.

use super::{GOOD, say};
use crate::script::rhai::reference;
use clap::{Args, ValueEnum};

/// Arguments of `api`.
#[derive(Args)]
pub struct ApiArguments {
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people, as Markdown
    Md,
    /// For editors: definitions for the language server of Rhai
    Rhai,
    /// For programs
    Json,
}

/// Runs the command.
pub fn api(arguments: &ApiArguments) -> u8 {
    let text = match arguments.format {
        Format::Md => reference::markdown(),
        Format::Rhai => reference::definitions(),
        Format::Json => reference::json(),
    };
    say(text.trim_end());
    GOOD
}

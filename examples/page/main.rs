//! Plays the page of `hangtime serve --web` in a headless browser: `cargo run --example page -- --pictures target/page`.
//!
//! Keys must move the hero, every control must do what it says, the world of another client must be seen, a mistake in a
//! script must show, and a service that was gone must be found again. The exit code is 1 if anything fails. It needs
//! Chromium.

mod browser;
mod game;
mod session;

use browser::Browser;
use clap::Parser;
use game::{Game, Program};
use session::Session;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
struct Arguments {
    /// The program
    #[arg(long, default_value = "target/debug/hangtime")]
    program: PathBuf,
    /// The browser
    #[arg(long, default_value = "chromium")]
    browser: PathBuf,
    /// Where pictures of the page are written
    #[arg(long, default_value = "target/page")]
    pictures: PathBuf,
    /// Only take pictures of these levels
    #[arg(long)]
    level: Vec<String>,
    /// The page is here, for a service that listens already
    #[arg(long)]
    at: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match play(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("page: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &Arguments) -> Result<(), String> {
    std::fs::create_dir_all(&arguments.pictures).map_err(|error| error.to_string())?;
    let browser = Browser::start(&arguments.browser)?;
    if !arguments.level.is_empty() {
        let game = Game::copy()?;
        let program = match &arguments.at {
            Some(_) => None,
            None => Some(Program::start(&arguments.program, &game, 0, &[])?),
        };
        let url = arguments.at.clone();
        let url = url.or_else(|| program.as_ref().map(|program| program.url.clone()));
        let mut session = Session::new(browser, &arguments.pictures);
        return arguments
            .level
            .iter()
            .try_for_each(|level| session.show(url.as_deref().unwrap_or_default(), level));
    }
    let game = Game::copy()?;
    let program = Program::start(&arguments.program, &game, 0, &[])?;
    let mut session = Session::new(browser, &arguments.pictures);
    session.plays(&program)?;
    session.controls_work()?;
    session.reloads(&game)?;
    session.watches(&program)?;
    session.fits_a_phone(&program)?;
    let port = program.port();
    drop(program);
    session.comes_back(&arguments.program, &game, port)?;
    session.asks_for_the_token(&arguments.program, &game)?;
    session.ends()
}

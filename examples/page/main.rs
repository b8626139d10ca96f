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
use std::{path::PathBuf, process::ExitCode};

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
    /// Only take pictures of these levels; can be repeated
    #[arg(long)]
    level: Vec<String>,
    /// Take them from this page, of a service that listens already
    #[arg(long, value_name = "URL", requires = "level")]
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
    let mut session = Session::new(browser, &arguments.pictures);
    let mut levels = arguments.level.iter();
    if let Some(url) = &arguments.at {
        return levels.try_for_each(|level| session.show(url, level));
    }
    let game = Game::copy()?;
    let program = Program::start(&arguments.program, &game, 0, &[])?;
    if !arguments.level.is_empty() {
        return levels.try_for_each(|level| session.show(&program.url, level));
    }
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

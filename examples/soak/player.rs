//! The program that is played, and what it prints.

use super::display::Display;
use std::{
    cell::RefCell,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The window must open, and close, within this time.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Player {
    program: RefCell<Child>,
    window: String,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Player {
    /// Starts the program and waits for its window.
    pub fn start(program: &Path, root: &Path, display: &Display) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg("--root")
            .arg(root)
            .args(["play", "playground"])
            .env("DISPLAY", display.name())
            .env_remove("WAYLAND_DISPLAY")
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let lines = Arc::new(Mutex::new(Vec::new()));
        if let Some(printed) = child.stderr.take() {
            let lines = lines.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(printed).lines().map_while(Result::ok) {
                    lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            });
        }
        let mut player = Self { program: RefCell::new(child), window: String::new(), lines };
        let started = Instant::now();
        while player.window.is_empty() {
            if started.elapsed() > PATIENCE || !player.is_running() {
                return Err(format!("no window opens\n{}", player.last_lines(20)));
            }
            std::thread::sleep(Duration::from_millis(100));
            let found = display.xdotool(&["search", "--name", "^hangtime"]);
            player.window = found.lines().next().unwrap_or_default().into();
        }
        display.xdotool(&["windowfocus", &player.window, "keydown", "Right"]);
        Ok(player)
    }

    pub fn window(&self) -> &str {
        &self.window
    }

    pub fn id(&self) -> u32 {
        self.program.borrow().id()
    }

    pub fn is_running(&self) -> bool {
        matches!(self.program.borrow_mut().try_wait(), Ok(None))
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn line_count(&self) -> usize {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a line that was printed after the first `from` is such a line.
    pub fn has_line(&self, from: usize, is: impl Fn(&str) -> bool) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().skip(from).any(|line| is(line))
    }

    /// The last lines that it printed.
    pub fn last_lines(&self, most: usize) -> String {
        let lines = self.lines();
        let last = &lines[lines.len().saturating_sub(most)..];
        let short = last.iter().map(|line| line.chars().take(120).collect::<String>());
        short.collect::<Vec<_>>().join("\n")
    }

    pub fn revisions(&self) -> usize {
        self.lines()
            .iter()
            .filter(|line| line.starts_with("revision ") && line.contains(": "))
            .count()
    }

    /// What a script of the running game must not have seen.
    pub fn wrong(&self) -> Vec<String> {
        let lines = self.lines();
        let bad = |line: &&String| {
            line.starts_with("apart: ") || line.contains("panicked") || line.contains(".cargo/registry")
        };
        let mut found: Vec<String> = lines.into_iter().filter(|line| bad(&line)).collect();
        found.dedup();
        found
    }

    /// Ends the program as a person does, and returns its last line.
    pub fn quit(&self, display: &Display) -> Result<String, String> {
        display.xdotool(&["windowmap", &self.window, "windowsize", &self.window, "1280", "720"]);
        display.xdotool(&["windowfocus", &self.window, "key", "Escape"]);
        let started = Instant::now();
        while self.is_running() {
            if started.elapsed() > PATIENCE {
                return Err(format!("Escape does not end the program\n{}", self.last_lines(20)));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(100));
        let code = self.program.borrow_mut().wait().ok().and_then(|status| status.code());
        match code {
            Some(0) => Ok(self.last_lines(1)),
            code => Err(format!("the exit code is {code:?}\n{}", self.last_lines(20))),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let mut program = self.program.borrow_mut();
        let _ = program.kill();
        let _ = program.wait();
    }
}

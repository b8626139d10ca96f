//! Runs the reload machine on a simulated folder and checks its promises after every look.

use super::{
    actions::{FILES, FolderAction, SaveStyle, SimulationStep},
    builders::{SimulatedBuilder, SimulatedCandidate},
    dice::Temper,
    disk::{LEVEL, Operation, ROOT, SimulatedDisk, Visible},
};
use hangtime_core::sim::{Inputs, Value};
use hangtime_game::{
    FileSystem as _, Live, SourceSet,
    reloading::{CALM, HALF_SAVED, LONGEST, Notice, RESCAN, ReloadMachine, RunningRevision, SETTLE},
};
use hangtime_script::{Diagnostic, SourceFile};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunCounts {
    pub steps: u64,
    pub looks: u64,
    pub adopted: u64,
    pub reported: u64,
}

impl RunCounts {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.looks += other.looks;
        self.adopted += other.adopted;
        self.reported += other.reported;
    }

    /// The counts for the page of figures.
    pub fn as_json(&self) -> serde_json::Value {
        serde_json::json!({
            "steps": self.steps, "looks": self.looks, "adopted": self.adopted,
            "reported": self.reported, "broken_promises": 0,
        })
    }
}

/// The first promise that was broken.
pub type Broken = String;

/// A game that reloads its folder.
pub struct Simulation<'a> {
    disk: &'a SimulatedDisk,
    machine: ReloadMachine<SimulatedBuilder>,
    oracle: SimulatedBuilder,
    running: SimulatedCandidate,
    /// The message that is shown.
    message: Option<Vec<Diagnostic>>,
    game: Option<Live>,
    /// When the next look begins if no event arrives.
    wakes: Duration,
    /// The end of the last time in which the whole machine slept.
    slept_until: Duration,
    longest_look: Duration,
    /// Whether the folder was quiet at the last look.
    quiet: bool,
    /// Looks without an event, to find a machine that never rests.
    idle_looks: u64,
    counts: RunCounts,
}

/// Plays steps on a new folder.
pub fn play(seed: u64, temper: Temper, real: bool, steps: &[SimulationStep]) -> Result<RunCounts, Broken> {
    let disk = SimulatedDisk::new(seed, temper);
    FolderAction::CopyAll { version: 0, order: 0, style: SaveStyle::InPlace, pause: Duration::ZERO }.schedule(&disk);
    disk.pass_until(Duration::from_millis(1));
    disk.pass_until(Duration::from_secs(1));
    disk.take_events();
    let mut simulation = Simulation::new(&disk, real)?;
    for step in steps {
        simulation.step(step)?;
    }
    simulation.settle()?;
    simulation.mend()?;
    Ok(simulation.counts)
}

impl<'a> Simulation<'a> {
    fn new(disk: &'a SimulatedDisk, real: bool) -> Result<Self, Broken> {
        let builder = || SimulatedBuilder { disk: disk.clone(), real };
        let sources = SourceSet::read(disk.folder(), Path::new(LEVEL));
        let running = builder().result(&sources, 1);
        let running = running.map_err(|wrong| format!("the start: {wrong}"))?;
        let revision = RunningRevision {
            number: 1,
            hashes: sources.hashes(),
            files: sources.files.clone(),
            hooks: running.hooks.clone(),
        };
        let machine = ReloadMachine::new(disk.folder(), builder(), revision);
        let game = running.revision.clone().map(|it| Live::new(it, 0));
        Ok(Self {
            disk,
            wakes: disk.now() + machine.patience(),
            machine,
            oracle: builder(),
            running,
            message: None,
            game,
            slept_until: Duration::ZERO,
            longest_look: Duration::ZERO,
            quiet: false,
            idle_looks: 0,
            counts: RunCounts::default(),
        })
    }

    fn step(&mut self, step: &SimulationStep) -> Result<(), Broken> {
        self.counts.steps += 1;
        if let FolderAction::ClockJump(time) = step.action {
            self.disk.pass_until(self.disk.now() + time);
            self.slept_until = self.disk.now();
        }
        step.action.schedule(self.disk);
        self.run_until(self.disk.now() + step.then)
    }

    /// Lets the worker run as its thread does: it looks after events, and when its patience ends.
    fn run_until(&mut self, end: Duration) -> Result<(), Broken> {
        loop {
            let event = self.disk.next_event();
            let wakes = event.map_or(self.wakes, |event| event.min(self.wakes));
            let operation = self.disk.next_operation();
            let next = operation.map_or(wakes, |operation| operation.min(wakes));
            if next > end {
                self.disk.pass_until(end);
                return Ok(());
            }
            self.disk.pass_until(next);
            if next == wakes {
                self.look()?;
            }
        }
    }

    fn look(&mut self) -> Result<(), Broken> {
        let events = self.disk.take_events();
        let began = self.disk.now();
        let finding = self.machine.look();
        let ended = self.disk.now();
        self.wakes = ended + self.machine.patience();
        self.longest_look = self.longest_look.max(ended - began);
        self.counts.looks += 1;
        self.idle_looks += u64::from(events == 0);
        let most = 100 + ended.as_millis() as u64 / 40;
        if self.idle_looks > most {
            return Err(format!("{most} looks without any event"));
        }
        let told = finding.is_some();
        match finding {
            Some(Notice::Ready { revision, kept, .. }) => self.adopt(revision, kept, (began, ended))?,
            Some(Notice::Broken(wrong)) => {
                if wrong.is_empty() {
                    return Err("an empty message".into());
                }
                self.counts.reported += 1;
                self.message = Some(wrong);
            }
            Some(Notice::Reverted) => {
                if self.message.take().is_none() {
                    return Err("reverted, but nothing was reported".into());
                }
                let files = &self.running.files;
                if !self.was_visible(files, Duration::ZERO, ended) {
                    return Err("reverted to files that are not there".into());
                }
            }
            None => {}
        }
        self.play_on()?;
        self.check_quiet(began).map_err(|broken| {
            let finding = if told { "a finding" } else { "no finding" };
            format!("{broken}\nafter {finding} at {began:?}")
        })
    }

    /// Adopts a candidate. It has the numbers that files had which are gone, and a message for each of them.
    fn adopt(
        &mut self,
        candidate: SimulatedCandidate,
        kept: Vec<Diagnostic>,
        (began, ended): (Duration, Duration),
    ) -> Result<(), Broken> {
        self.counts.adopted += 1;
        if candidate.number != self.running.number + 1 {
            return Err(format!("revision {} is out of turn", candidate.number));
        }
        let mut files = candidate.files.clone();
        for message in &kept {
            let name = message.file_name();
            if !falls_back(name) || files.remove(name) != self.running.files.get(name).cloned() {
                return Err(format!("not kept: {name}"));
            }
        }
        if !self.was_visible(&files, began, ended) {
            return Err(format!("half a revision: at {began:?} to {ended:?} there was no moment with {files:#?}"));
        }
        self.check_settled(&files, began)?;
        for (name, lost) in lost(&self.running, &candidate) {
            // It must have been so when the machine first looked, at least a second ago.
            let before = began.saturating_sub(HALF_SAVED);
            let now = candidate.files.get(&name);
            let timeline = self.disk.timeline();
            let mut earlier = timeline.iter().take_while(|(since, _)| *since <= before);
            if !earlier.any(|(_, visible)| visible.files.get(&name) == now) {
                return Err(format!("half a save: {name} {lost} for less than a second"));
            }
            let said = candidate.warnings.iter().any(|it| it.file_name() == name);
            let had_numbers = falls_back(&name) && !self.running.files[&name].trim().is_empty();
            if had_numbers && lost == "is missing" {
                return Err(format!("silent defaults: {name} {lost}, and the level was not started again"));
            }
            if had_numbers && lost == "is empty" && !said {
                return Err(format!("silent defaults: {name} {lost}"));
            }
        }
        if let (Some(game), Some(revision)) = (&mut self.game, &candidate.revision) {
            // Two programs that write a level at once may add entities.
            let hero_of = |game: &Live| {
                let hero = game.views().find(|view| &*view.name == "hero");
                hero.map(|view| (view.pos, view.vel))
            };
            let before = hero_of(game);
            let count = counted(game);
            game.adopt(revision.clone());
            let after = hero_of(game);
            // A level that was read half may lack the hero.
            let hero = |files: &BTreeMap<String, String>| {
                let level = files.get("levels/level.toml");
                level.is_some_and(|text| text.contains("player = 1"))
            };
            let kept = before == after && counted(game) == count;
            if !kept && hero(&self.running.files) && hero(&candidate.files) {
                return Err("the world's state is lost".into());
            }
        }
        self.running = candidate;
        self.message = (!kept.is_empty()).then_some(kept);
        Ok(())
    }

    /// The files with numbers that run, but are gone.
    fn gone(&self, visible: &Visible) -> BTreeMap<String, String> {
        let files = self.running.files.iter();
        let gone = files
            .filter(|(name, text)| falls_back(name) && !text.trim().is_empty() && !visible.files.contains_key(*name));
        gone.map(|(name, text)| (name.clone(), text.clone())).collect()
    }

    /// What is adopted has stayed the same for a moment, unless the files never rest.
    fn check_settled(&self, files: &BTreeMap<String, String>, began: Duration) -> Result<(), Broken> {
        if self.was_visible(files, Duration::ZERO, began.saturating_sub(SETTLE)) {
            return Ok(());
        }
        let timeline = self.disk.timeline();
        let from = began.saturating_sub(LONGEST);
        let mut calm_since = from;
        for (at, _) in timeline.iter().filter(|(at, _)| *at >= from) {
            if *at > calm_since + CALM + self.longest_look {
                return Err(format!("not settled: at {began:?}, after calm since {calm_since:?}"));
            }
            calm_since = *at;
        }
        Ok(())
    }

    /// Plays some ticks. The hero counts each of them if its script does.
    fn play_on(&mut self) -> Result<(), Broken> {
        let Some(game) = &mut self.game else {
            return Ok(());
        };
        let counts = |hooks: &Vec<String>| hooks.iter().any(|hook| hook == "on_tick");
        let more = i64::from(self.running.hooks.values().any(counts));
        for _ in 0..3 {
            let before = counted(game);
            game.step(&Inputs::default());
            // Without a hero, nothing counts.
            if before >= 0 && counted(game) != before + more {
                return Err(format!("{before} is followed by {}", counted(game)));
            }
        }
        Ok(())
    }

    /// Whether exactly these files were there at a moment between two times.
    fn was_visible(&self, files: &BTreeMap<String, String>, from: Duration, to: Duration) -> bool {
        let timeline = self.disk.timeline();
        let ends = timeline.iter().skip(1).map(|(since, _)| *since);
        let ends = ends.chain([Duration::MAX]);
        timeline.iter().zip(ends).any(|((since, visible), end)| {
            *since <= to && end > from && visible.wrong.is_empty() && visible.files == *files
        })
    }

    /// Once nothing has changed for long enough, the running revision is the folder, or what is
    /// wrong with the folder is shown.
    fn check_quiet(&mut self, began: Duration) -> Result<(), Broken> {
        let (since, visible) = self.disk.visible();
        let quiet = began.saturating_sub(since.max(self.slept_until).max(self.disk.hangs_until()));
        let script = visible.files.get("scripts/hero.rhai");
        let slow = script.is_some_and(|text| text.contains("// slow"));
        let building = if slow { 15 } else { 0 };
        let late = Duration::from_millis(500);
        let most = RESCAN + HALF_SAVED + late + Duration::from_secs(building);
        self.quiet = quiet >= most + self.longest_look * 3;
        if !self.quiet {
            return Ok(());
        }
        let shown: Option<Vec<String>> =
            self.message.as_ref().map(|wrong| wrong.iter().map(Diagnostic::headline).collect());
        let expected = self.mistakes(&visible);
        match (&shown, expected.is_empty()) {
            (None, true) if self.running.files == visible.files => Ok(()),
            (None, true) => Err(format!("lost: revision {} runs, not {visible:#?}", self.running.number)),
            (Some(shown), true) => Err(format!("a message for a good folder: {shown:?}")),
            (None, false) => Err(format!("not reported: {expected:?}")),
            (Some(shown), false) => {
                let told = |name: &String| shown.iter().any(|line| line.contains(name));
                if expected.iter().all(told) {
                    Ok(())
                } else {
                    Err(format!("reported {shown:?} instead of {expected:?}"))
                }
            }
        }
    }

    /// Texts that a message about the folder contains; none if the folder is good.
    fn mistakes(&self, visible: &Visible) -> Vec<String> {
        let script = visible.files.get("scripts/hero.rhai");
        if script.is_some_and(|text| text.contains("// panics")) {
            return vec!["scripts/hero.rhai".into()];
        }
        if !visible.wrong.is_empty() {
            return visible.wrong.clone();
        }
        let file = |(name, text): (&String, &String)| {
            let file = SourceFile { name: name.clone(), text: text.clone() };
            (name.clone(), Arc::new(file))
        };
        let mut sources = SourceSet::default();
        sources.root = PathBuf::from(ROOT);
        sources.level_path = PathBuf::from(LEVEL);
        sources.level = LEVEL[ROOT.len() + 1..].into();
        let gone = self.gone(visible);
        sources.files = visible.files.iter().chain(&gone).map(file).collect();
        let wrong = match self.oracle.result(&sources, 0) {
            Ok(_) => Vec::new(),
            Err(wrong) => wrong.diagnostics().iter().map(Diagnostic::headline).collect(),
        };
        wrong.into_iter().chain(gone.into_keys()).collect()
    }

    /// Waits for the end of everything that has begun.
    fn settle(&mut self) -> Result<(), Broken> {
        while let Some(operation) = self.disk.next_operation() {
            self.run_until(operation)?;
        }
        self.quiet = false;
        let end = self.disk.now() + Duration::from_secs(120);
        while !self.quiet {
            if self.disk.now() >= end {
                return Err("the folder does not become quiet".into());
            }
            self.run_until(self.wakes)?;
        }
        Ok(())
    }

    /// Repairs everything, and expects the game to run what is there.
    fn mend(&mut self) -> Result<(), Broken> {
        let away = format!("{ROOT}.away");
        self.disk.schedule(Duration::ZERO, Operation::Rename(away, ROOT.into()));
        for folder in ["/game/config", "/game/scripts", "/game/levels"] {
            for folder in [folder.to_string(), format!("{folder}/models"), format!("{folder}/entities")] {
                let away = format!("{folder}.away");
                self.disk.schedule(Duration::ZERO, Operation::Recover(folder.clone()));
                self.disk.schedule(Duration::ZERO, Operation::Rename(away, folder));
            }
        }
        for file in FILES {
            self.disk.schedule(Duration::ZERO, Operation::Recover(file.into()));
        }
        FolderAction::CopyAll { version: 600, order: 1, style: SaveStyle::RemoveFirst, pause: Duration::ZERO }
            .schedule(self.disk);
        self.settle()?;
        let (_, visible) = self.disk.visible();
        if self.message.is_some() || self.running.files != visible.files {
            return Err(format!("not mended: {:?}", self.message));
        }
        Ok(())
    }
}

/// Whether the defaults would apply without a file.
fn falls_back(name: &str) -> bool {
    name.starts_with("config/models/") || matches!(name, "config/surfaces.toml" | "config/hangtime.toml")
}

/// The files that a candidate lacks, or parts of them that the running revision has.
fn lost(running: &SimulatedCandidate, candidate: &SimulatedCandidate) -> Vec<(String, &'static str)> {
    let mut lost = Vec::new();
    for (name, text) in &running.files {
        match candidate.files.get(name) {
            None => lost.push((name.clone(), "is missing")),
            Some(now) if now.is_empty() && !text.is_empty() => {
                lost.push((name.clone(), "is empty"));
            }
            Some(now) if now.len() < text.len() && text.starts_with(now) => {
                lost.push((name.clone(), "is cut"));
            }
            Some(now) if text.contains("[[entity]]") && !now.contains("[[entity]]") => {
                lost.push((name.clone(), "has lost its entities"));
            }
            Some(_) => {}
        }
    }
    for (script, hooks) in &running.hooks {
        let now = candidate.hooks.get(script);
        if now.is_some_and(|now| hooks.iter().any(|hook| !now.contains(hook))) {
            lost.push((script.clone(), "lacks hooks"));
        }
    }
    lost
}

/// The number of ticks that the hero has counted.
fn counted(game: &Live) -> i64 {
    let entities = game.world().entities();
    let count = entities.first().map(|hero| hero.vars.0.to_plain());
    match count.as_ref().and_then(|vars| vars.get("n")) {
        Some(Value::Int(n)) => *n,
        _ => -1,
    }
}

//! A file system in memory. Time passes with every call, and operations that are due happen then.

use super::dice::{Dice, Temper};
use hangtime_game::{FileSystem, FolderEntry, GameFolder, PathKind};
use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub const ROOT: &str = "/game";
pub const LEVEL: &str = "/game/levels/level.toml";

/// One change of the folder, as the operating system carries it out.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Opens a file for writing, which empties an existing one.
    Truncate(String),
    Append(String, Arc<[u8]>),
    /// Closes a written file. Watchers see this.
    Close(String),
    /// Watchers see this and the next one.
    Rename(String, String),
    Remove(String),
    /// A symbolic link.
    Link(String, String),
    /// A pipe: reading it never ends.
    Pipe(String),
    /// From now on, calls for this path fail.
    Fail(String, io::ErrorKind),
    /// Calls for this path no longer fail.
    Recover(String),
    /// From now on, no call returns for this time, as on a network drive that is down.
    Hang(Duration),
    /// A watcher's event without a change.
    Event,
}

impl Operation {
    /// Whether it changes nothing that a game reads.
    fn is_aside(&self) -> bool {
        match self {
            Self::Close(_) | Self::Event | Self::Hang(_) => true,
            Self::Truncate(path) | Self::Append(path, _) => path.ends_with('~'),
            _ => false,
        }
    }
}

#[derive(Clone, Debug)]
enum SimulatedNode {
    Folder,
    /// The number of its content. A renamed file keeps it.
    File(u64),
    Link(String),
    Pipe,
}

/// What a reader would find if time stood still.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visible {
    /// Every file that can be read, by its path below the game folder.
    pub files: BTreeMap<String, String>,
    /// The paths of what cannot be read.
    pub wrong: Vec<String>,
}

#[derive(Debug)]
struct Contents {
    now: Duration,
    nodes: BTreeMap<String, SimulatedNode>,
    files: BTreeMap<u64, Arc<[u8]>>,
    failing: BTreeMap<String, io::ErrorKind>,
    /// Until when calls hang.
    hangs_until: Duration,
    /// The paths at which there have ever been links.
    links: Vec<String>,
    /// Operations to come, by time and order.
    due: BTreeMap<(Duration, u64), Operation>,
    /// The times at which a watcher's events arrive.
    events: VecDeque<Duration>,
    /// What was visible from when on.
    timeline: Vec<(Duration, Arc<Visible>)>,
    counter: u64,
    dice: Dice,
    temper: Temper,
}

/// A shared handle, like a disk that several programs use.
#[derive(Clone, Debug)]
pub struct SimulatedDisk(Arc<Mutex<Contents>>);

impl SimulatedDisk {
    pub fn new(seed: u64, temper: Temper) -> Self {
        let folders = [
            "",
            ROOT,
            "/game/config",
            "/game/config/entities",
            "/game/config/models",
            "/game/scripts",
            "/game/scripts/lib",
            "/game/levels",
            "/elsewhere",
        ];
        let contents = Contents {
            now: Duration::ZERO,
            nodes: folders.map(|folder| (folder.to_string(), SimulatedNode::Folder)).into(),
            files: BTreeMap::new(),
            failing: BTreeMap::new(),
            hangs_until: Duration::ZERO,
            links: Vec::new(),
            due: BTreeMap::new(),
            events: VecDeque::new(),
            timeline: vec![(Duration::ZERO, Arc::default())],
            counter: 0,
            dice: Dice(seed),
            temper,
        };
        Self(Arc::new(Mutex::new(contents)))
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // A failed promise panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Schedules an operation `after` this time from now.
    pub fn schedule(&self, after: Duration, operation: Operation) {
        let mut contents = self.contents();
        contents.counter += 1;
        let at = (contents.now + after, contents.counter);
        contents.due.insert(at, operation);
    }

    /// Lets time pass up to a moment.
    pub fn pass_until(&self, moment: Duration) {
        let mut contents = self.contents();
        contents.now = contents.now.max(moment);
        contents.carry_out();
    }

    /// The time of the next operation, if there is one.
    pub fn next_operation(&self) -> Option<Duration> {
        self.contents().due.keys().next().map(|(at, _)| *at)
    }

    /// The arrival of the watcher's next event.
    pub fn next_event(&self) -> Option<Duration> {
        self.contents().events.iter().min().copied()
    }

    /// The end of the last time in which calls hang.
    pub fn hangs_until(&self) -> Duration {
        self.contents().hangs_until
    }

    /// Takes all events that have arrived.
    pub fn take_events(&self) -> usize {
        let mut contents = self.contents();
        let (now, before) = (contents.now, contents.events.len());
        contents.events.retain(|at| *at > now);
        before - contents.events.len()
    }

    /// What was visible, and since when, with the moment of the last change first.
    pub fn timeline(&self) -> Vec<(Duration, Arc<Visible>)> {
        self.contents().timeline.clone()
    }

    /// What is visible now, and since when.
    pub fn visible(&self) -> (Duration, Arc<Visible>) {
        let contents = self.contents();
        contents.timeline.last().cloned().unwrap_or_default()
    }
}

impl Contents {
    /// Lets a little time pass, as every call does.
    fn turn(&mut self) {
        let slow = self.dice.below(1000) < self.temper.slow;
        let micros = if slow { self.dice.below(50_000) } else { 1 + self.dice.below(20) };
        self.now += Duration::from_micros(micros);
        self.carry_out();
    }

    fn carry_out(&mut self) {
        while let Some(entry) = self.due.first_entry() {
            let (at, _) = *entry.key();
            if at > self.now {
                break;
            }
            let operation = entry.remove();
            let seen = matches!(
                operation,
                Operation::Close(_) | Operation::Rename(..) | Operation::Remove(_) | Operation::Event
            );
            let aside = operation.is_aside();
            if self.apply(operation) && seen {
                self.post_event(at);
            }
            if aside {
                continue;
            }
            let visible = Arc::new(self.visible());
            if self.timeline.last().is_none_or(|(_, last)| *last != visible) {
                self.timeline.push((at, visible));
            }
        }
    }

    fn post_event(&mut self, at: Duration) {
        let temper = self.temper;
        if self.dice.percent(temper.lost) {
            return;
        }
        let copies = 1 + usize::from(self.dice.percent(temper.doubled));
        for _ in 0..copies {
            let most = if self.dice.percent(temper.late) { 500_000 } else { 300 };
            let late = Duration::from_micros(self.dice.below(most));
            self.events.push_back(at + late);
        }
    }

    /// Carries out an operation; `false` if it fails.
    fn apply(&mut self, operation: Operation) -> bool {
        match operation {
            Operation::Truncate(path) => self.write(&path, |_| Arc::default()),
            Operation::Append(path, more) => {
                let Some(SimulatedNode::File(_)) = self.nodes.get(&path) else {
                    return false;
                };
                self.write(&path, |text| [text, &more].concat().into())
            }
            Operation::Close(path) => self.nodes.contains_key(&path),
            Operation::Rename(from, to) => self.rename(&from, &to),
            Operation::Remove(path) => self.nodes.remove(&path).is_some(),
            Operation::Link(path, to) => self.put(path, SimulatedNode::Link(to)),
            Operation::Pipe(path) => self.put(path, SimulatedNode::Pipe),
            Operation::Fail(path, kind) => self.failing.insert(path, kind).is_none(),
            Operation::Recover(path) => self.failing.remove(&path).is_some(),
            Operation::Hang(time) => {
                self.hangs_until = self.hangs_until.max(self.now + time);
                true
            }
            Operation::Event => true,
        }
    }

    fn write(&mut self, path: &str, change: impl FnOnce(&[u8]) -> Arc<[u8]>) -> bool {
        let number = match self.nodes.get(path) {
            Some(SimulatedNode::File(number)) => *number,
            Some(_) => return false,
            None => {
                self.counter += 1;
                let number = self.counter;
                if !self.put(path.to_string(), SimulatedNode::File(number)) {
                    return false;
                }
                number
            }
        };
        let text = self.files.entry(number).or_default();
        *text = change(text);
        true
    }

    /// Puts something in a folder that exists.
    fn put(&mut self, path: String, node: SimulatedNode) -> bool {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let there = matches!(self.nodes.get(folder), Some(SimulatedNode::Folder));
        let taken = matches!(self.nodes.get(&path), Some(SimulatedNode::Folder));
        if there && !taken {
            self.insert(path, node);
        }
        there && !taken
    }

    fn insert(&mut self, path: String, node: SimulatedNode) {
        if matches!(node, SimulatedNode::Link(_)) && !self.links.contains(&path) {
            self.links.push(path.clone());
        }
        self.nodes.insert(path, node);
    }

    fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(node) = self.nodes.get(from).cloned() else {
            return false;
        };
        if let SimulatedNode::Folder = node {
            if self.nodes.contains_key(to) {
                return false;
            }
            let below = format!("{from}/");
            let inside = |path: &String| path == from || path.starts_with(&below);
            let moved: Vec<String> = self.nodes.keys().filter(|p| inside(p)).cloned().collect();
            for path in moved {
                if let Some(node) = self.nodes.remove(&path) {
                    self.insert(path.replacen(from, to, 1), node);
                }
            }
            return true;
        }
        let moved = self.put(to.to_string(), node);
        if moved {
            self.nodes.remove(from);
        }
        moved
    }

    /// The path without links, if it leads to something.
    fn resolve(&self, path: &str) -> Option<String> {
        let mut path = path.to_string();
        for _ in 0..8 {
            let link = self.links.iter().find_map(|link| {
                let rest = path.strip_prefix(link.as_str())?;
                match self.nodes.get(link) {
                    Some(SimulatedNode::Link(to)) if rest.is_empty() || rest.starts_with('/') => {
                        Some(format!("{to}{rest}"))
                    }
                    _ => None,
                }
            });
            match link {
                Some(further) => path = further,
                None => return self.nodes.contains_key(&path).then_some(path),
            }
        }
        None
    }

    fn check(&self, path: &str) -> io::Result<()> {
        if self.failing.is_empty() {
            return Ok(());
        }
        self.failing.get(path).map_or(Ok(()), |kind| Err((*kind).into()))
    }

    fn found(&self, path: &Path) -> io::Result<String> {
        let path = path.to_string_lossy();
        self.check(&path)?;
        self.resolve(&path).ok_or(io::ErrorKind::NotFound.into())
    }

    fn entries(&self, folder: &str) -> Vec<FolderEntry> {
        let below = format!("{folder}/");
        let inside = self.nodes.range(below.clone()..);
        inside
            .take_while(|(path, _)| path.starts_with(&below))
            .filter(|(path, _)| !path[below.len()..].contains('/'))
            .map(|(path, node)| FolderEntry {
                name: path[below.len()..].into(),
                is_link: matches!(node, SimulatedNode::Link(_)),
            })
            .collect()
    }

    /// What a reader would find now.
    fn visible(&self) -> Visible {
        let mut visible = Visible::default();
        if !self.nodes.contains_key(ROOT) {
            visible.wrong.push("the game folder is gone".into());
            return visible;
        }
        for (folder, ending) in [("/game/config", ".toml"), ("/game/scripts", ".rhai")] {
            self.look_into(folder, ending, &mut visible);
        }
        self.look_at(LEVEL, &mut visible);
        if self.check("/game/levels").is_ok() {
            for entry in self.entries("/game/levels") {
                let name = entry.name.to_string_lossy().into_owned();
                if !name.ends_with(".input") || name.starts_with('.') {
                    continue;
                }
                let path = format!("/game/levels/{name}");
                self.look_at(&path, &mut visible);
            }
        }
        visible
    }

    fn look_into(&self, folder: &str, ending: &str, visible: &mut Visible) {
        if self.check(folder).is_err() {
            visible.wrong.push(folder[ROOT.len() + 1..].to_string());
            return;
        }
        for entry in self.entries(folder) {
            let name = entry.name.to_string_lossy().into_owned();
            let path = format!("{folder}/{name}");
            if name.starts_with('.') {
                continue;
            }
            match self.resolve(&path).and_then(|path| self.nodes.get(&path)) {
                Some(SimulatedNode::Folder) if entry.is_link => {} // It leads to a folder above.
                Some(SimulatedNode::Folder) => self.look_into(&path, ending, visible),
                _ if name.ends_with(ending) => self.look_at(&path, visible),
                // Perhaps a folder whose numbers are missing.
                None if entry.is_link && !name.contains('.') => {
                    visible.wrong.push(path[ROOT.len() + 1..].to_string());
                }
                _ => {}
            }
        }
    }

    fn look_at(&self, path: &str, visible: &mut Visible) {
        let name = path[ROOT.len() + 1..].to_string();
        // What leads out of the game is not read.
        let leads_to = self.resolve(path).filter(|to| to.starts_with("/game/"));
        let node = leads_to.and_then(|path| self.nodes.get(&path));
        let text = match node {
            Some(SimulatedNode::File(number)) if self.check(path).is_ok() => {
                String::from_utf8(self.files[number].to_vec()).ok()
            }
            _ => None,
        };
        match text {
            Some(text) => {
                visible.files.insert(name, text);
            }
            None => visible.wrong.push(name),
        }
    }
}

impl FileSystem for SimulatedDisk {
    fn entries(&self, folder: &Path, _most: usize) -> io::Result<Vec<FolderEntry>> {
        let mut contents = self.contents();
        contents.turn();
        let folder = contents.found(folder)?;
        match contents.nodes.get(&folder) {
            Some(SimulatedNode::Folder) => Ok(contents.entries(&folder)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn kind(&self, path: &Path) -> io::Result<PathKind> {
        let mut contents = self.contents();
        contents.turn();
        let path = contents.found(path)?;
        Ok(match &contents.nodes[&path] {
            SimulatedNode::Folder => PathKind::Folder,
            SimulatedNode::File(number) => PathKind::File(contents.files[number].len() as u64),
            SimulatedNode::Link(_) | SimulatedNode::Pipe => PathKind::Special,
        })
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut contents = self.contents();
        contents.turn();
        let path = contents.found(path)?;
        let SimulatedNode::File(number) = contents.nodes[&path] else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        // The file may change while it is read.
        let text = &contents.files[&number];
        let mut read = text[..text.len() / 2].to_vec();
        contents.turn();
        let rest = contents.files[&number].get(read.len()..).unwrap_or_default();
        read.extend(rest);
        read.truncate(most as usize);
        Ok(read)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut contents = self.contents();
        contents.turn();
        contents.found(path).map(PathBuf::from)
    }

    fn now(&self) -> Duration {
        self.contents().now
    }

    fn sleep(&self, time: Duration) {
        let mut contents = self.contents();
        contents.now += time;
        contents.carry_out();
    }
}

impl SimulatedDisk {
    /// The game folder on this disk.
    pub fn folder(&self) -> GameFolder {
        GameFolder::of_files(ROOT, Arc::new(self.clone()))
    }
}

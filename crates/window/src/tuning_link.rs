//! What passes between the tuning panel and the game thread.

use super::*;
use hangtime_workbench::{
    BlameFacts, ContractFacts, ContractWatch, StretchBlame, WishedNumbers,
    panel::{MotionPair, MotionRun},
};

/// The latest of both sides. Neither waits for the other.
#[derive(Default)]
pub struct TuningLink(Mutex<LinkData>);

#[derive(Default)]
struct LinkData {
    /// Numbers that the game has not taken yet.
    changes: Option<Vec<TuningChange>>,
    /// Numbers that were drawn, and that the panel has not taken yet.
    wished: Vec<WishedNumbers>,
    /// What happened to the numbers when another level was opened.
    lines: Vec<String>,
    /// Whether the version that is played is to be pinned.
    pins: bool,
    /// Whether the panel is open, so that it needs facts.
    open: bool,
    state: LinkState,
}

/// What the game last said.
#[derive(Clone, Default)]
pub struct LinkState {
    /// What an open panel shows.
    pub facts: Option<Arc<PanelFacts>>,
    /// The revision of the files.
    pub base: Option<Arc<Revision>>,
    /// The number of levels that have been opened after the first.
    pub levels: u64,
}

/// What an open panel shows of the game.
#[derive(PartialEq)]
pub struct PanelFacts {
    /// The picked entity.
    pub entity: EntityFacts,
    /// Its last seconds.
    pub motion: MotionRun,
    /// The answers for a drawn jump in words, and which one is chosen.
    pub answers: (Vec<String>, usize),
    /// Its motion before and after the last edit.
    pub compared: Option<Arc<MotionPair>>,
    /// The contracts of its kind.
    pub contracts: Option<Arc<ContractFacts>>,
    /// What the marked stretch depends on.
    pub blame: Option<Arc<BlameFacts>>,
}

/// What is found out in the background for an open panel.
pub struct PanelStudies {
    contracts: ContractWatch,
    blame: StretchBlame,
}

impl PanelStudies {
    pub fn new(folder: GameFolder) -> Self {
        Self { contracts: ContractWatch::new(folder), blame: StretchBlame::default() }
    }
}

impl PanelFacts {
    fn of(bench: &Workbench, studies: &PanelStudies) -> Option<Self> {
        Some(Self {
            entity: EntityFacts::of(bench.live(), bench.picked()?)?,
            motion: bench.motion(),
            answers: bench.listed_answers(),
            compared: bench.compared_motion().cloned(),
            contracts: studies.contracts.facts().cloned(),
            blame: studies.blame.facts().cloned(),
        })
    }
}

impl TuningLink {
    /// Passes numbers on to the game.
    pub fn send(&self, changes: Vec<TuningChange>) {
        self.0.lock().changes = Some(changes);
    }

    /// Pins the version that is played, so that ghosts compare with it.
    pub fn pin(&self) {
        self.0.lock().pins = true;
    }

    /// Passes lines for the log on to the game.
    pub fn say(&self, lines: Vec<String>) {
        self.0.lock().lines.extend(lines);
    }

    /// Tells the game whether the panel is open. Returns what it last said.
    pub fn look(&self, open: bool) -> LinkState {
        let mut data = self.0.lock();
        data.open = open;
        data.state.clone()
    }

    /// Takes numbers that were drawn, for the panel.
    pub fn take_wished(&self) -> Vec<WishedNumbers> {
        mem::take(&mut self.0.lock().wished)
    }

    /// Whether an open panel would show the same as with these facts, and nothing waits for it.
    pub fn shows(&self, facts: Option<&Arc<PanelFacts>>) -> bool {
        let data = self.0.lock();
        data.wished.is_empty() && data.state.facts.as_ref().map(Arc::as_ptr) == facts.map(Arc::as_ptr)
    }

    /// In the game thread: another level begins, and the panel has not sent its numbers for it yet.
    pub fn open_level(&self, bench: &Workbench) {
        let mut data = self.0.lock();
        data.changes = None;
        data.wished.clear();
        data.state =
            LinkState { facts: None, base: Some(bench.files_revision().clone()), levels: data.state.levels + 1 };
    }

    /// In the game thread: adopts numbers and says how things are.
    pub fn pass(&self, bench: &mut Workbench, studies: &mut PanelStudies) {
        let (changes, lines, pins, open) = {
            let mut data = self.0.lock();
            (data.changes.take(), mem::take(&mut data.lines), mem::take(&mut data.pins), data.open)
        };
        if let Some(changes) = changes {
            bench.tune(changes);
        }
        if pins {
            bench.pin();
        }
        for line in lines {
            bench.note(line);
        }
        studies.contracts.follow(bench, open);
        studies.blame.follow(bench, open);
        let facts = open.then(|| PanelFacts::of(bench, studies)).flatten();
        let base = bench.files_revision().clone();
        let wished = bench.take_wished();
        let mut data = self.0.lock();
        data.wished.extend(wished);
        // While nothing changes, the panel need not be drawn again.
        if data.state.facts.as_deref() != facts.as_ref() {
            data.state.facts = facts.map(Arc::new);
        }
        data.state.base = Some(base);
    }
}

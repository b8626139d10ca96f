//! The methods of the protocol.

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `initialize`
    Initialize,
    /// `world.create`
    Create,
    /// `world.step`
    Step,
    /// `world.observe`
    Observe,
    /// `world.scene`
    Scene,
    /// `world.snapshot`
    Snapshot,
    /// `world.restore`
    Restore,
    /// `world.fork`
    Fork,
    /// `world.reload`
    Reload,
    /// `world.set`
    Set,
    /// `world.why`
    Why,
    /// `world.judge`
    Judge,
    /// `world.trace.subscribe`
    Subscribe,
    /// `world.trace.unsubscribe`
    Unsubscribe,
    /// `world.destroy`
    Destroy,
    /// `world.list`
    List,
    /// `world.watch`
    Watch,
    /// `query.sweep`
    Sweep,
    /// `query.cast`
    Cast,
    /// `query.overlap`
    Overlap,
    /// `query.rest_positions`
    RestPositions,
    /// `plan.jump`
    PlanJump,
    /// `check`
    Check,
    /// `tests.list`
    TestsList,
    /// `tests.run`
    TestsRun,
    /// `$/cancelRequest`
    Cancel,
    /// `shutdown`
    Shutdown,
}

impl Method {
    /// All methods, as the page of the protocol lists them.
    pub const ALL: [Self; 27] = [
        Self::Initialize,
        Self::Create,
        Self::Step,
        Self::Observe,
        Self::Scene,
        Self::Snapshot,
        Self::Restore,
        Self::Fork,
        Self::Reload,
        Self::Set,
        Self::Why,
        Self::Judge,
        Self::Subscribe,
        Self::Unsubscribe,
        Self::Destroy,
        Self::List,
        Self::Watch,
        Self::Sweep,
        Self::Cast,
        Self::Overlap,
        Self::RestPositions,
        Self::PlanJump,
        Self::Check,
        Self::TestsList,
        Self::TestsRun,
        Self::Cancel,
        Self::Shutdown,
    ];

    /// The method with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether only services with a page have it, because it shows the worlds of other clients.
    pub const fn needs_web(self) -> bool {
        matches!(self, Self::List | Self::Watch)
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Create => "world.create",
            Self::Step => "world.step",
            Self::Observe => "world.observe",
            Self::Scene => "world.scene",
            Self::Snapshot => "world.snapshot",
            Self::Restore => "world.restore",
            Self::Fork => "world.fork",
            Self::Reload => "world.reload",
            Self::Set => "world.set",
            Self::Why => "world.why",
            Self::Judge => "world.judge",
            Self::Subscribe => "world.trace.subscribe",
            Self::Unsubscribe => "world.trace.unsubscribe",
            Self::Destroy => "world.destroy",
            Self::List => "world.list",
            Self::Watch => "world.watch",
            Self::Sweep => "query.sweep",
            Self::Cast => "query.cast",
            Self::Overlap => "query.overlap",
            Self::RestPositions => "query.rest_positions",
            Self::PlanJump => "plan.jump",
            Self::Check => "check",
            Self::TestsList => "tests.list",
            Self::TestsRun => "tests.run",
            Self::Cancel => "$/cancelRequest",
            Self::Shutdown => "shutdown",
        }
    }
}

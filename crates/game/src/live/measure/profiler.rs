//! Measuring ticks.

use super::{
    durations::Durations,
    times::{HookTimes, PHASES, PhaseTimes, TickProfile},
};
use crate::background::now;
use hangtime_core::sim::why::TickPhase;
use hangtime_script::{CallPath, CallProbe, ListedScript, ProbedCall};
use std::{cell::RefCell, time::Duration};

thread_local! {
    /// The profiler of the tick that this thread makes. The probes are plain functions, which the layers below can call
    /// without knowing of clocks.
    static RUNNING: RefCell<Option<Box<Profiler>>> = const { RefCell::new(None) };
}

/// The phases, in their order.
const ORDER: [TickPhase; PHASES] = [
    TickPhase::Orders,
    TickPhase::Platforms,
    TickPhase::Sense,
    TickPhase::Drive,
    TickPhase::Ropes,
    TickPhase::Travel,
    TickPhase::Grab,
    TickPhase::PushApart,
    TickPhase::Settle,
    TickPhase::Zones,
];

/// Measures ticks.
pub struct Profiler {
    /// The hooks that were called, by the ids of their scripts. Their times are the durations of their calls.
    hooks: Vec<Vec<(HookTimes, Durations)>>,
    /// The time of each phase, without calls.
    phases: [u64; PHASES],
    ticks: Durations,
    clock: ClockCost,
    /// The phase that runs.
    phase: TickPhase,
    phase_began: Duration,
    call_began: Duration,
    /// What the calls of this phase took, with the clock, ns.
    in_calls: u64,
    /// The time of this tick so far, without the clock, ns.
    tick: u64,
}

/// What the clock takes, ns.
#[derive(Clone, Copy, Default)]
struct ClockCost {
    /// How much of it is in the time of a call.
    inside: u64,
    /// How much each call takes longer in all.
    around: u64,
}

impl Profiler {
    /// A profiler that has measured nothing.
    pub fn new() -> Box<Self> {
        let at = now();
        let empty = |clock| {
            Box::new(Self {
                hooks: Vec::new(),
                phases: [0; PHASES],
                ticks: Durations::default(),
                clock,
                phase: TickPhase::Orders,
                phase_began: at,
                call_began: at,
                in_calls: 0,
                tick: 0,
            })
        };
        empty(ClockCost::measure(empty(ClockCost::default())))
    }

    /// The probe that reports calls to the running profiler.
    pub const fn call_probe() -> CallProbe {
        CallProbe { begin: call_begins, end: call_ends }
    }

    /// Makes one tick and measures it. The tick has to call the probes.
    pub fn measure(mut self: Box<Self>, tick: impl FnOnce()) -> Box<Self> {
        self.tick = 0;
        self.phase = TickPhase::Orders;
        self.in_calls = 0;
        self.phase_began = now();
        RUNNING.set(Some(self));
        tick();
        let mut profiler = RUNNING.take().unwrap_or_else(Self::new);
        // What a tick does after its last phase belongs to that phase.
        profiler.end_phase(TickPhase::Zones);
        let tick = profiler.tick;
        profiler.ticks.add(tick);
        profiler
    }

    /// The number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.ticks.count
    }

    /// What was measured so far, with these scripts.
    pub fn profile(&self, scripts: &[ListedScript]) -> TickProfile {
        let named = scripts.iter().zip(&self.hooks);
        let mut hooks: Vec<_> = named
            .flat_map(|(script, hooks)| {
                let name = script.name();
                let name = name.strip_prefix("scripts/").unwrap_or(name);
                hooks.iter().map(move |(times, durations)| HookTimes {
                    behavior: name.into(),
                    calls: durations.count,
                    median: durations.median(),
                    total: durations.total,
                    ..times.clone()
                })
            })
            .collect();
        let key = |hook: &HookTimes| (hook.behavior.clone(), hook.hook.clone());
        hooks.sort_by_key(|hook| (u64::MAX - hook.total, key(hook)));
        let phases = ORDER.iter().zip(self.phases);
        TickProfile {
            ticks: self.ticks.count,
            median_tick: self.ticks.median(),
            phases: phases.map(|(phase, total)| PhaseTimes { phase: *phase, total }).collect(),
            hooks,
        }
    }

    /// Counts the time of a phase that ends now.
    fn end_phase(&mut self, phase: TickPhase) {
        let at = now();
        let whole = nanos(at, self.phase_began);
        let own = whole.saturating_sub(self.in_calls + self.clock.inside);
        self.phases[phase as usize] += own;
        self.tick += own;
        self.in_calls = 0;
        self.phase = ORDER[(phase as usize + 1).min(PHASES - 1)];
        self.phase_began = at;
    }

    fn end_call(&mut self, call: &ProbedCall<'_>) {
        let whole = nanos(now(), self.call_began);
        let own = whole.saturating_sub(self.clock.inside);
        self.in_calls += whole + self.clock.around.saturating_sub(self.clock.inside);
        self.tick += own;
        let index = call.script.0 as usize;
        if self.hooks.len() <= index {
            self.hooks.resize_with(index + 1, Vec::new);
        }
        let hooks = &mut self.hooks[index];
        let known = hooks.iter().position(|(known, _)| known.hook == call.hook);
        let place = known.unwrap_or_else(|| {
            let first = HookTimes { hook: call.hook.into(), phase: self.phase, ..HookTimes::default() };
            hooks.push((first, Durations::default()));
            hooks.len() - 1
        });
        let (hook, durations) = &mut hooks[place];
        hook.operations += call.operations;
        hook.compiled += u64::from(call.path == CallPath::Compiled);
        hook.bailed += u64::from(call.path == CallPath::Bailed);
        durations.add(own);
    }
}

impl ClockCost {
    /// Measures calls that do nothing.
    fn measure(scratch: Box<Profiler>) -> Self {
        const CALLS: u32 = 1000;
        let call = ProbedCall {
            script: hangtime_core::sim::ScriptId(0),
            hook: "none",
            operations: 0,
            path: CallPath::Interpreted,
        };
        let outer = RUNNING.replace(Some(scratch));
        let began = now();
        for _ in 0..CALLS {
            call_begins();
            call_ends(&call);
        }
        let all = nanos(now(), began);
        let scratch = RUNNING.replace(outer);
        let empty = scratch.and_then(|scratch| Some(scratch.hooks.first()?.first()?.1.median()));
        Self { inside: empty.unwrap_or(0), around: all / u64::from(CALLS) }
    }
}

fn nanos(now: Duration, from: Duration) -> u64 {
    u64::try_from((now - from).as_nanos()).unwrap_or(u64::MAX)
}

fn with_running(act: impl FnOnce(&mut Profiler)) {
    RUNNING.with_borrow_mut(|running| {
        if let Some(profiler) = running {
            act(profiler);
        }
    });
}

fn call_begins() {
    with_running(|profiler| profiler.call_began = now());
}

fn call_ends(call: &ProbedCall<'_>) {
    with_running(|profiler| profiler.end_call(call));
}

/// Reports the end of a phase to the running profiler.
pub fn phase_ends(phase: TickPhase) {
    with_running(|profiler| profiler.end_phase(phase));
}

#[cfg(test)]
#[path = "../../../tests/unit/live/measure/profiler.rs"]
mod tests;

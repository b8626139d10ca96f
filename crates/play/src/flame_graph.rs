//! A flame graph of where the time of ticks goes.

use super::*;
use inferno::{flamegraph, flamegraph::Options};

/// A flame graph as SVG: the phases of a tick, the behaviors that they call, and the hooks of these. Widths are times.
///
/// # Errors
/// When it cannot be drawn, which would be a bug of hangtime.
pub fn flame_graph(level: &str, profile: &TickProfile) -> io::Result<String> {
    let mut options = Options::default();
    options.title = format!("{}: {} ticks", frame(level), profile.ticks);
    options.subtitle = Some(tick_shares(profile));
    options.count_name = "ns".into();
    // Colors follow from names, so that two graphs can be compared.
    options.hash = true;
    options.deterministic = true;
    // Every hook that was called is in the graph, however little time it took.
    options.min_width = 0.0;
    let lines = stacks(profile);
    let mut drawn = Vec::new();
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), &mut drawn)?;
    let drawn = String::from_utf8(drawn).map_err(io::Error::other)?;
    // Without the declarations before it, it begins like all pictures that hangtime writes.
    let start = drawn.find("<svg ").unwrap_or(0);
    Ok(drawn[start..].to_string())
}

/// A line for each stack of frames, with its own time in ns.
fn stacks(profile: &TickProfile) -> Vec<String> {
    let own = profile.phases.iter().filter(|phase| phase.total > 0);
    let mut lines: Vec<String> = own.map(|phase| format!("{} {}", phase.phase.name(), phase.total)).collect();
    lines.extend(profile.hooks.iter().map(|hook| {
        let (behavior, name) = (frame(&hook.behavior), frame(&hook.hook));
        // A frame without any time could not be seen.
        let time = hook.total.max(1);
        format!("{};{behavior};{name} {time}", hook.phase.name())
    }));
    if lines.is_empty() {
        lines.push("no tick was made 1".into());
    }
    lines
}

/// A name as a frame: semicolons separate frames.
fn frame(name: &str) -> String {
    printable_name(&cut_name(name)).replace(';', ",")
}

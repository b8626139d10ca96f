//! The table of a profile, for people.

use hangtime_core::sim::why::TickPhase;
use hangtime_game::{HookTimes, TickProfile};
use hangtime_script::text::{cut_name, printable_name};

/// The titles of the columns.
const TITLES: [&str; 8] = ["behavior", "hook", "calls", "operations", "ns", "share", "compiled", "bails"];

/// A line for each hook with the number of its calls, the operations and the median of the time of one, its share of the
/// ticks, and how many calls were compiled and given up; then what the rest of the ticks took.
#[must_use]
pub fn profile_table(profile: &TickProfile) -> String {
    let mut lines = vec![TITLES.map(String::from)];
    lines.extend(profile.hooks.iter().map(|hook| cells(profile, hook)));
    let mut text = String::new();
    if profile.hooks.is_empty() {
        text += "no script was called\n";
    } else {
        text += &stable_columns(&lines, &[0, 1]);
    }
    let share = |nanos| percent(profile.share(nanos));
    if profile.ticks == 0 {
        return text + "no tick was made\n";
    }
    text += &format!(
        "\n{} ticks of {} (median): scripts {}, around scripts {}, physics {}\n",
        profile.ticks,
        nanoseconds(profile.median_tick),
        share(profile.scripts()),
        share(profile.around_scripts()),
        share(profile.physics()),
    );
    let physics = profile.phases.iter();
    let physics = physics.filter(|phase| phase.phase != TickPhase::Orders);
    let physics = physics.map(|phase| format!("{} {}", phase.phase.name(), share(phase.total)));
    text += &format!("physics: {}\n", physics.collect::<Vec<_>>().join(", "));
    text
}

fn cells(profile: &TickProfile, hook: &HookTimes) -> [String; 8] {
    [
        printable_name(&cut_name(&hook.behavior)).into_owned(),
        printable_name(&cut_name(&hook.hook)).into_owned(),
        hook.calls.to_string(),
        format!("{:.0}", hook.operations as f64 / hook.calls.max(1) as f64),
        hook.median.to_string(),
        percent(profile.share(hook.total)),
        percent(hook.compiled as f64 / hook.calls.max(1) as f64),
        hook.bailed.to_string(),
    ]
}

/// Lines whose cells begin at the same places in the columns `left`, and end at the same places in the others.
#[must_use]
pub fn stable_columns<const N: usize>(lines: &[[String; N]], left: &[usize]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).filter_map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut written = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            written += &match left.contains(&column) {
                true => format!("{cell:<width$}  "),
                false => format!("{cell:>width$}  "),
            };
        }
        text += written.trim_end();
        text.push('\n');
    }
    text
}

/// A share as percent with one decimal, such as `12.5 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A time in the unit that suits it, such as `12.3 µs`.
#[must_use]
pub fn nanoseconds(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.1} µs", nanos as f64 / 1e3),
        _ => format!("{:.1} ms", nanos as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::{nanoseconds, percent, stable_columns};

    #[test]
    fn cells_are_below_each_other() {
        let lines = [["a", "bb", "1"], ["µµµ", "c", "20"]];
        let lines = lines.map(|line| line.map(String::from));
        assert_eq!(stable_columns(&lines, &[0, 1]), "a    bb   1\nµµµ  c   20\n");
        assert_eq!(stable_columns(&lines, &[2]), "  a  bb  1\nµµµ   c  20\n");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let times = [0, 999, 1_000, 12_345, 999_949, 1_000_000, 20_500_000];
        let texts = ["0 ns", "999 ns", "1.0 µs", "12.3 µs", "999.9 µs", "1.0 ms", "20.5 ms"];
        assert_eq!(times.map(nanoseconds), texts);
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0 %", "12.5 %", "100.0 %"]);
    }
}

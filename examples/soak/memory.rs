//! The memory of the program over time.

use std::time::Duration;

/// By how much the last third of a run may exceed the third before it. Single minutes differ by more: memory that was
/// freed goes back to the system when its allocator likes.
const GROWTH: f64 = 0.05;

/// What a session keeps at most in addition to its first minute, MiB: the table of limits in `docs/workbench.md`.
const KEPT: f64 = 403.0;

/// The resident memory, KiB, by minutes.
#[derive(Default)]
pub struct Memory(Vec<Vec<u64>>);

impl Memory {
    /// Reads how much a process has now.
    pub fn read(&mut self, id: u32, time: Duration) {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        let minute = (time.as_secs() / 60) as usize;
        if let Some(kib) = number {
            self.0.resize((minute + 1).max(self.0.len()), Vec::new());
            self.0[minute].push(kib);
        }
    }

    /// The median of each minute, MiB.
    fn medians(&self) -> Vec<f64> {
        let median = |minute: &Vec<u64>| {
            let mut sorted = minute.clone();
            sorted.sort_unstable();
            sorted.get(sorted.len() / 2).map(|kib| *kib as f64 / 1024.0)
        };
        self.0.iter().filter_map(median).collect()
    }

    /// The medians of the second and of the last third.
    fn thirds(&self) -> Option<(f64, f64)> {
        let medians = self.medians();
        let third = medians.len() / 3;
        let median = |minutes: &[f64]| {
            let mut sorted = minutes.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        (third > 0).then(|| (median(&medians[third..2 * third]), median(&medians[2 * third..])))
    }

    pub fn figures(&self) -> String {
        let medians = self.medians();
        let shown: Vec<String> = medians.iter().map(|m| format!("{m:.0}")).collect();
        let mut text = format!("memory by minutes, MiB: {}", shown.join(" "));
        if let Some((middle, last)) = self.thirds() {
            let most = medians.iter().copied().fold(0.0, f64::max);
            text += &format!("; at most {most:.0}; the middle third {middle:.0}, the last {last:.0}");
        }
        text
    }

    pub fn wrong(&self) -> Option<String> {
        let medians = self.medians();
        let first = medians.first()?;
        if let Some(most) = medians.iter().find(|most| **most > first + KEPT) {
            return Some(format!("a minute took {most:.0} MiB, more than {KEPT:.0} beyond the first"));
        }
        let (middle, last) = self.thirds()?;
        (last > middle * (1.0 + GROWTH)).then(|| format!("memory grows: from {middle:.0} MiB to {last:.0}"))
    }
}

//! The memory of the program over time.

use std::time::Duration;

/// From this minute on, memory must be flat.
const SETTLED: u64 = 5;

/// By how much it may differ from then on.
const FLAT: f64 = 0.05;

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

    /// The least and the most once it has settled.
    fn settled(&self) -> Option<(f64, f64)> {
        let medians = self.medians();
        let later = medians.get(SETTLED as usize..)?;
        let least = later.iter().copied().reduce(f64::min)?;
        Some((least, later.iter().copied().reduce(f64::max)?))
    }

    pub fn figures(&self) -> String {
        let medians: Vec<String> = self.medians().iter().map(|m| format!("{m:.0}")).collect();
        let mut text = format!("memory by minutes, MiB: {}", medians.join(" "));
        if let Some((least, most)) = self.settled() {
            let by = (most / least - 1.0) * 100.0;
            text += &format!("; from minute {SETTLED} on {least:.0} to {most:.0}, {by:.1} %");
        }
        text
    }

    pub fn wrong(&self) -> Option<String> {
        let (least, most) = self.settled()?;
        (most > least * (1.0 + FLAT)).then(|| "memory is not flat".into())
    }
}

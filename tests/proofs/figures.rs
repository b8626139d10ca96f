//! Figures that these tests print, for the page that `examples/trust` writes.

use serde_json::Value;

/// What a line with figures begins with.
const MARK: &str = "figures ";

/// Prints figures as one line.
pub fn print(figures: Value) {
    println!("{MARK}{figures}");
}

/// The figures of a line, if it has any.
pub fn read(line: &str) -> Option<Value> {
    serde_json::from_str(line.strip_prefix(MARK)?).ok()
}

/// A number from an environment variable.
pub fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is not a whole number: {text}")))
}

/// The most memory that this process has taken so far, KiB; none where the system does not say.
pub fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// The memory that this process takes now, KiB; none where the system does not say.
pub fn memory_now() -> Option<u64> {
    memory("VmRSS:")
}

fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().split(' ').next()?.parse().ok()
}

/// The processor time of this thread, ms. Where the system does not say it, the time since the first call.
pub fn milliseconds_of_thread() -> f64 {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
    }
    #[cfg(not(unix))]
    milliseconds()
}

/// The processor time of this process with all its threads, ms: other programs on the machine count
/// little. Where the system does not say it, the time since the first call.
pub fn milliseconds() -> f64 {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
    }
}

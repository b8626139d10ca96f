//! hangtime next to its peers, in one process: characters, and rigid bodies in contact.
//!
//! The arguments `characters` and `bodies` run one comparison; without them both run. Numbers limit
//! the runs to sets of that size. `ours` runs only hangtime, for a profiler.

mod bodies;
mod chance;
mod characters;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let said = |word: &str| words.iter().any(|w| w == word);
    let only: Vec<usize> = words.iter().filter_map(|w| w.parse().ok()).collect();
    let both = !said("characters") && !said("bodies");
    if both || said("characters") {
        characters::run(&only, said("ours"));
    }
    if both || said("bodies") {
        bodies::run(&only, said("ours"));
    }
}

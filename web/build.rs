//! Builds the engine again when a file of the built-in game is new.

fn main() {
    println!("cargo::rerun-if-changed=target/playground");
}

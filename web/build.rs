//! Makes the stack of the engine as large as the program's threads for scripts have it: calls may nest as deeply.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-cdylib=-zstack-size=16777216");
}

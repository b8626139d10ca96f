//! Puts the page that `web/build` makes into the package, if it was made before.

use std::fmt::Write as _;
use std::path::{Path, absolute};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let web = absolute("../web")?;
    let page = web.join("dist");
    let mut files = String::from("&[");
    if page.is_dir() {
        for entry in fs::read_dir(&page)? {
            let entry = entry?;
            // Memory does not run out.
            let _ = write!(files, "({:?}, include_bytes!({:?})),", entry.file_name().to_string_lossy(), entry.path());
        }
    }
    files.push(']');
    // Where there is none, the package is built again once there is.
    println!("cargo::rerun-if-changed={}", if page.is_dir() { &page } else { &web }.display());
    let to = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&to).join("page.rs"), files)
}

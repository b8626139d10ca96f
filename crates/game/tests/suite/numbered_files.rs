//! Files with numbers in their names never replace another file.

use hangtime_game::files::{NumberedFile, OutputKind};
use std::io::Write as _;

#[test]
fn a_numbered_file_never_replaces_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("a-level-1.gif");
    std::fs::write(&other, "mine").expect("a file");
    let mut names = Vec::new();
    for _ in 0..2 {
        let (output, mut file) = NumberedFile::create(folder.path(), "a/level", OutputKind::Gif).expect("a file");
        file.write_all(b"film").expect("written");
        file.flush().expect("flushed");
        drop(file);
        let path = output.complete().expect("renamed");
        assert_eq!(std::fs::read(&path).expect("read"), b"film");
        names.push(path.file_name().map(std::ffi::OsStr::to_owned));
    }
    assert_eq!(names, [Some("a-level-2.gif".into()), Some("a-level-3.gif".into())]);
    assert_eq!(std::fs::read(&other).expect("read"), b"mine");
}

#[test]
fn an_abandoned_file_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(NumberedFile::create(folder.path(), "level", OutputKind::Gif).expect("a file"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("read").count(), 0);
    assert!(NumberedFile::create(&folder.path().join("none"), "level", OutputKind::Gif).is_err());
}

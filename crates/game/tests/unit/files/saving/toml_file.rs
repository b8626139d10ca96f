//! Tests of `src/files/saving/toml_file.rs`.

use super::{OutputFile, complete};
use std::{
    fs,
    io::{self, Write},
};

/// A disk with room for some more bytes. Some disks find out only when the file is flushed.
struct FullDisk {
    room: usize,
    late: bool,
}

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.room);
        self.room -= written;
        match written == 0 && !self.late {
            true => Err(io::ErrorKind::StorageFull.into()),
            false if self.late => Ok(bytes.len()),
            false => Ok(written),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn a_full_disk_is_reported_and_the_file_stays() {
    const TEXT: &str = "# Numbers of the model.\n\njump_speed = 540.0         # px/s: rising\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("platformer.toml");
    fs::write(&path, TEXT).unwrap();
    for (room, late) in [(0, false), (1, false), (40, false), (0, true)] {
        let (output, file) = OutputFile::replace(&path).unwrap();
        drop(file);
        let mut disk = FullDisk { room, late };
        let text = TEXT.replace("540.0", "560.0");
        let wrong = complete("platformer.toml", output, (&mut disk, FullDisk::flush), &text).unwrap_err();
        assert!(wrong.starts_with("platformer.toml cannot be written: no storage space"), "{wrong}");
        assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
        // Nothing is left behind.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

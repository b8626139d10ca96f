//! Pictures that people have drawn, as painters need them. They are not part of the simulation: nothing in a tick reads
//! them.

use super::*;

/// Speed below which a body stands, px/s.
const STANDING: f64 = 5.0;

/// The modes that only sprites have: a body on the ground stands or runs, and one in the air jumps or
/// falls.
pub const SPRITE_MODES: [&str; 4] = ["standing", "running", "jumping", "falling"];

/// A picture, which may have several frames of the same size.
#[derive(Clone, PartialEq, Eq)]
pub struct Sheet {
    size: [u32; 2],
    pixels: Vec<[u8; 4]>,
}

impl fmt::Debug for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        write!(f, "Sheet({width} x {height})")
    }
}

impl Sheet {
    /// A picture of these pixels, row by row from the top: red, green, blue and opacity. `None` if their number does not
    /// fit the width and the height, or there are none.
    pub fn new(size: [u32; 2], pixels: Vec<[u8; 4]>) -> Option<Self> {
        let count = u64::from(size[0]) * u64::from(size[1]);
        (count > 0 && count == pixels.len() as u64).then_some(Self { size, pixels })
    }

    /// Width and height, px.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The pixel of a column and a row, which must be within the picture.
    pub fn pixel(&self, column: u32, row: u32) -> [u8; 4] {
        self.pixels[row as usize * self.size[0] as usize + column as usize]
    }

    /// The size of a frame; sides that are not known are as long as the picture's.
    pub fn frame_size(&self, known: [Option<u32>; 2]) -> [u32; 2] {
        let side = |axis: usize| known[axis].unwrap_or(self.size[axis]);
        [0, 1].map(|axis| side(axis).clamp(1, self.size[axis]))
    }

    /// The number of frames of this size, at least 1.
    pub fn frames(&self, size: [u32; 2]) -> u64 {
        let along = |axis: usize| u64::from((self.size[axis] / size[axis].max(1)).max(1));
        along(0) * along(1)
    }

    /// The upper left corner of a frame: column and row. Frames are counted like letters on a page, and after the last
    /// comes the first again.
    pub fn corner(&self, size: [u32; 2], frame: u32) -> [u32; 2] {
        let columns = u64::from((self.size[0] / size[0].max(1)).max(1));
        let frame = u64::from(frame) % self.frames(size);
        let (column, row) = ((frame % columns) as u32, (frame / columns) as u32);
        [column * size[0], row * size[1]]
    }
}

/// How the bodies of a kind look: the table `[sprite]` of its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodySprite {
    /// The path of its picture below `pictures/`.
    pub sheet: Box<str>,
    /// Width and height of a frame, px; `None` for the picture's own.
    pub frame_size: Option<[u32; 2]>,
    /// How many px of the level a pixel of the picture is wide.
    pub scale: f64,
    /// Where the middle of the lower edge is, relative to the middle between the feet of a body that faces right, px.
    pub offset: DVec2,
    /// How many frames follow each other in a second.
    pub rate: f64,
    /// The frames of each mode, or of one of [`SPRITE_MODES`].
    pub modes: BTreeMap<Box<str>, Vec<u32>>,
}

impl BodySprite {
    /// The frame of a body, `time` seconds after the level began.
    pub fn frame_of(&self, body: &EntityView, time: f64) -> u32 {
        let frames = pose_of(body)
            .and_then(|pose| self.modes.get(pose))
            .or_else(|| self.modes.get(body.mode.as_str()));
        let Some(frames) = frames.filter(|frames| !frames.is_empty()) else {
            return 0;
        };
        let number = (time.max(0.0) * self.rate) as u64 % frames.len() as u64;
        frames[number as usize]
    }
}

/// Which of [`SPRITE_MODES`] a body is in.
fn pose_of(body: &EntityView) -> Option<&'static str> {
    let rise = if body.inverted { -body.vel.y } else { body.vel.y };
    match body.mode {
        Mode::Ground if body.vel.length() < STANDING => Some("standing"),
        Mode::Ground => Some("running"),
        Mode::Air if rise + body.vel_z > 0.0 => Some("jumping"),
        Mode::Air => Some("falling"),
        _ => None,
    }
}

/// The tiles over the solids of a level: its table `[tiles]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceTiles {
    /// The path of their picture below `pictures/`.
    pub sheet: Box<str>,
    /// Width and height of a tile, px.
    pub side: u32,
    /// The tiles of each surface: one for everything, two for the upper edge and the rest, or nine for the corners, the
    /// edges and the middle, row by row.
    pub surfaces: BTreeMap<Box<str>, Vec<u32>>,
}

/// Everything that people have drawn for a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Artwork {
    /// The pictures that could be read, by their paths below `pictures/`.
    pub sheets: BTreeMap<Box<str>, Arc<Sheet>>,
    /// The sprites of kinds.
    pub sprites: BTreeMap<Box<str>, BodySprite>,
    /// The tiles of the level.
    pub tiles: Option<SurfaceTiles>,
    /// The layers of tiles of a level that is a map, the lowest one first.
    pub layers: Vec<MapTiles>,
}

/// How a tile of a map looks.
#[derive(Clone, Debug, PartialEq)]
pub struct MapTileLook {
    /// The path of its picture below `pictures/`.
    pub sheet: Box<str>,
    /// The upper left corner of the tile in its picture, and its width and height, px.
    pub corner: [u32; 2],
    /// Width and height in its picture, px.
    pub size: [u32; 2],
    /// Whether it is flipped over its diagonal, and then left and right, and above and below, are exchanged.
    pub flips: [bool; 3],
    /// Its width and height in the level, px.
    pub drawn: DVec2,
    /// How far it is moved to the right and down, px.
    pub offset: DVec2,
}

/// A tile of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapTile {
    /// Its row from the top, and its column.
    pub cell: [i32; 2],
    /// How it looks, an index into [`MapTiles::looks`].
    pub look: u32,
}

/// A layer of tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapTiles {
    /// The upper left corner of the cell in row 0 and column 0, px.
    pub corner: DVec2,
    /// Width and height of a cell, px.
    pub cell: DVec2,
    /// How tiles look.
    pub looks: Vec<MapTileLook>,
    /// The tiles, row by row.
    pub tiles: Vec<MapTile>,
    /// The solids of the level that these tiles are, which need no other look.
    pub solids: Range<u32>,
}

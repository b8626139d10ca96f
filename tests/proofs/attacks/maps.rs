//! Maps of Tiled and pictures. A small file of either can describe a lot.

use super::{Attack, Game};
use crate::dice::Dice;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::ZlibEncoder};
use std::{fmt::Write as _, io::Write as _};

/// The map that an attack plays, if it writes one.
pub const MAP: &str = "levels/map.tmx";

/// A hero, so that the level can be played.
const HERO: &str =
    "<objectgroup id=\"900\"><object id=\"900\" type=\"one\" x=\"8\" y=\"-40\"><point/></object></objectgroup>";

fn map(game: &Game<'_>, inner: &str) {
    game.write(
        MAP,
        format!(
            "<map version=\"1.10\" orientation=\"orthogonal\" width=\"4\" height=\"3\" tilewidth=\"16\" tileheight=\"16\">\
             {inner}{HERO}</map>"
        ),
    );
}

/// A layer of tiles, packed.
fn tiles(id: usize, (width, height): (u32, u32), tile: impl Fn(u32, u32) -> u32) -> String {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    for at in 0..width * height {
        packer.write_all(&tile(at % width, at / width).to_le_bytes()).expect("memory");
    }
    let data = STANDARD.encode(packer.finish().expect("memory"));
    format!(
        "<layer id=\"{id}\" width=\"{width}\" height=\"{height}\"><data encoding=\"base64\" compression=\"zlib\">{data}\
         </data></layer>"
    )
}

/// A tileset in a map, from a first number on, whose tiles have these contents.
fn tileset(first: usize, tiles: &[String]) -> String {
    let count = tiles.len();
    let mut text = format!(
        "<tileset firstgid=\"{first}\" name=\"a\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"{count}\" columns=\"1\">"
    );
    for (id, tile) in tiles.iter().enumerate() {
        // Memory does not run out.
        let _ = write!(text, "<tile id=\"{id}\">{tile}</tile>");
    }
    text.push_str("</tileset>");
    text
}

fn shape(object: &str) -> String {
    format!("<objectgroup><object id=\"1\" x=\"0\" y=\"0\" {object}</objectgroup>")
}

const BLOCK: &str = "width=\"16\" height=\"16\"/>";
const ELLIPSE: &str = "width=\"9\" height=\"9\"><ellipse/></object>";

/// A PNG of these sides, all of one color.
fn picture([width, height]: [u32; 2]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![9; (width * height) as usize]).expect("as many pixels");
    writer.finish().expect("an end");
    bytes
}

/// Files of tilesets with as many tiles with ellipses as fit into 115 KB, all of them in layers.
fn tilesets(count: usize) -> Attack {
    Attack::new(format!("{count} tilesets of ellipses"), move |game| {
        let each = 1_200;
        let mut named = String::new();
        let mut layers = String::new();
        for set in 0..count {
            let text = tileset(1, &vec![shape(ELLIPSE); each]).replacen("firstgid=\"1\" ", "", 1);
            game.write(&format!("levels/{set}.tsx"), text);
            let first = set * each + 1;
            let _ = write!(named, "<tileset firstgid=\"{first}\" source=\"{set}.tsx\"/>");
            layers.push_str(&tiles(set + 1, (40, 30), |x, y| first as u32 + y * 40 + x));
        }
        map(game, &format!("{named}{layers}"));
    })
}

/// Files of tilesets, each with tiles that have some rectangles of random places and sizes, up to `width`. All tiles are in
/// layers on top of each other, so all rectangles lie on others.
fn tilesets_of_rectangles(count: usize, each: usize, shapes: usize, width: f64) -> Attack {
    Attack::new(format!("{count} tilesets of {shapes} rectangles up to {width} px on each other"), move |game| {
        let mut dice = Dice::new(4);
        let mut named = String::new();
        let mut layers = String::new();
        for set in 0..count {
            let mut tile = |_| {
                let mut rectangle = |id| {
                    let [x, y, w, h] = [0.0, 0.0, 2.0, 2.0].map(|least| dice.between(least, width / 2.0 + least));
                    format!("<object id=\"{id}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\"/>")
                };
                format!("<objectgroup>{}</objectgroup>", (1..=shapes).map(&mut rectangle).collect::<String>())
            };
            let tiles_of_set: Vec<String> = (0..each).map(&mut tile).collect();
            let text = tileset(1, &tiles_of_set).replacen("firstgid=\"1\" ", "", 1);
            game.write(&format!("levels/{set}.tsx"), text);
            let first = set * each + 1;
            let _ = write!(named, "<tileset firstgid=\"{first}\" source=\"{set}.tsx\"/>");
            let columns = (each as f64).sqrt() as u32;
            let area = (columns, each as u32 / columns);
            layers.push_str(&tiles(set + 1, area, |x, y| first as u32 + y * columns + x));
        }
        map(game, &format!("{named}{layers}"));
    })
}

pub fn attacks() -> Vec<Attack> {
    vec![
        Attack::new("2,000,000 tiles of a checkerboard", |game| {
            map(game, &format!("{}{}", tileset(1, &[shape(BLOCK)]), tiles(1, (1414, 1414), |x, y| (x + y) % 2)));
        }),
        Attack::new("2,000,000 tiles with one shape of 5,000 points", |game| {
            let points: Vec<String> = (0..5_000).map(|i| format!("{},{}", f64::from(i) / 400.0, i % 2)).collect();
            let polygon = shape(&format!("><polygon points=\"{} 8,16\"/></object>", points.join(" ")));
            map(game, &format!("{}{}", tileset(1, &[polygon]), tiles(1, (1414, 1414), |_, _| 1)));
        }),
        Attack::new("2,000,000 tiles with a long surface", |game| {
            let surface =
                format!("<properties><property name=\"surface\" value=\"{}\"/></properties>", "x".repeat(900_000));
            map(
                game,
                &format!(
                    "{}{}",
                    tileset(1, &[format!("{surface}{}", shape(BLOCK))]),
                    tiles(1, (1414, 1414), |x, y| (x + y) % 2)
                ),
            );
        }),
        Attack::new("1 MB of ellipses", |game| {
            let ellipses: String = (0..14_000)
                .map(|i| format!("<object id=\"{i}\" x=\"{}\" y=\"0\" {ELLIPSE}", i % 1000 * 16))
                .collect();
            map(game, &format!("<objectgroup id=\"1\">{ellipses}</objectgroup>"));
        }),
        Attack::new("1 MB of objects of a template with a long value", |game| {
            let long = format!("<property name=\"surface\" value=\"{}\"/>", "x".repeat(900_000));
            game.write(
                "levels/a.tx",
                format!(
                    "<template><object width=\"9\" height=\"9\"><properties>{long}</properties></object></template>"
                ),
            );
            let objects: String = (0..20_000).map(|i| format!("<object id=\"{i}\" template=\"a.tx\"/>")).collect();
            map(game, &format!("<objectgroup id=\"1\">{objects}</objectgroup>"));
        }),
        tilesets(150),
        tilesets(83),
        tilesets(40),
        tilesets_of_rectangles(40, 100, 6, 24.0),
        tilesets_of_rectangles(10, 600, 4, 48.0),
        tilesets_of_rectangles(4, 1500, 4, 64.0),
        Attack::new("40 large pictures", |game| {
            let bytes = picture([2048, 2048]);
            for i in 0..40 {
                // Equal files would be decoded once.
                let mut bytes = bytes.clone();
                bytes.push(i);
                game.write(&format!("pictures/{i}.png"), bytes);
            }
        }),
    ]
}

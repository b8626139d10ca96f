//! Mistakes in maps of the Tiled editor: each names the file, the object and the right name, and nothing
//! panics or takes long.

use crate::{
    folder::Folder,
    maps::{TILESET, game, layer, map},
    tiled::wrong,
};

/// Objects, and what the first message about them says.
#[rustfmt::skip]
const OBJECTS: &[(&str, &str)] = &[
    (r#"<object id="12" name="gap" x="0" y="0" width="9" height="0"/>"#, "levels/level.tmx:4:1: error: object 12 \"gap\": point 3 repeats the point before it"),
    (r#"<object id="3" type="zoen" x="0" y="0" width="9" height="9"/>"#, "levels/level.tmx:4:22: error: object 3: there is no class or kind `zoen`; did you mean `zone`?"),
    (r#"<object id="3" type="heroo" x="0" y="0"><point/></object>"#, "there is no class or kind `heroo`; did you mean `hero`?"),
    (r#"<object id="3" type="entity" x="0" y="0"><properties><property name="kind" value="heroo"/></properties><point/></object>"#, "did you mean `hero`?"),
    (r#"<object id="3" type="entity" x="0" y="0"><point/></object>"#, "object 3: an entity needs `kind`"),
    (r#"<object id="3" type="hero" x="0" y="0"><properties><property name="playr" type="int" value="1"/></properties><point/></object>"#, "unknown key `playr`; did you mean `player`?"),
    (r#"<object id="3" type="hero" x="0" y="0"><properties><property name="platformer.jump_sped" type="float" value="1"/></properties><point/></object>"#, "did you mean `jump_speed`?"),
    (r#"<object id="3" type="hero" x="0" y="0"><properties><property name="platformer.jump_speed" value="fast"/></properties><point/></object>"#, "`jump_speed` takes a number, not \"fast\""),
    (r#"<object id="3" type="hero" x="0" y="0"><polygon points="0,0 4,0 4,4"/></object>"#, "an entity is a point, a tile, a rectangle or an ellipse"),
    (r#"<object id="3" x="0" y="0"><polyline points="0,0 9,0"/></object>"#, "set its class to `one_way` or `path`"),
    (r#"<object id="3" x="0" y="0"><point/></object>"#, "a point is an entity"),
    (r#"<object id="3" type="zone" x="0" y="0"><polyline points="0,0 9,0 9,9"/></object>"#, "a zone is a closed shape"),
    (r#"<object id="3" type="solid" x="0" y="0"><polyline points="0,0 9,0 9,9"/></object>"#, "is a closed shape"),
    (r#"<object id="3" x="0" y="0"><polygon points="0,0 9,9 9,0 1,5"/></object>"#, "crosses or touches itself"),
    (r#"<object id="3" type="one_way" x="0" y="0"><polyline points="0,0 0,9"/></object>"#, "a one-way platform must run from one side to the other"),
    (r#"<object id="3" x="0" y="0"><polygon points="0,0 nan,9 9,0"/></object>"#, "finite"),
    (r#"<object id="3" x="0" y="0" width="x" height="9"/>"#, "`width` takes a number, not \"x\""),
    (r#"<object id="3" x="1e40" y="0" width="9" height="9"/>"#, "`x` is"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="surfce" value="ice"/></properties></object>"#, "levels/level.tmx:4:77: error: object 3: unknown key `surfce`; did you mean `surface`?"),
    (r#"<object id="3" type="zone" x="0" y="0" width="9" height="9"><properties><property name="gravity_scale" type="float" value="500"/></properties></object>"#, "`gravity_scale` is 500; it must be between -100 and 100"),
    (r#"<object id="3" type="zone" x="0" y="0" width="9" height="9"><properties><property name="external_accel" value="[1, 2"/></properties></object>"#, "starts like a value of TOML"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="one_way" type="bool" value="yes"/></properties></object>"#, "the property `one_way` has the type `bool`, but its value is \"yes\""),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="one_way" value="true"/></properties></object>"#, "`one_way` takes true or false, not text"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="top" type="flaot" value="1"/></properties></object>"#, "there is no type `flaot` of properties; did you mean `float`?"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="path" value="wey"/></properties></object><object id="4" name="way" type="path" x="0" y="0"><polyline points="0,0 9,0"/></object>"#, "with the name `wey`; did you mean `way`?"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="path" type="object" value="77"/></properties></object>"#, "`path` takes a line of this map"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><properties><property name="path" type="object" value="4"/></properties></object><object id="4" x="0" y="0"><polyline points="0,0 9,0"/></object>"#, "object 4: a path needs `speed`"),
    (r#"<object id="4" type="path" x="0" y="0"><polyline points="0,0 9,0"/></object>"#, "warning: object 4: no solid uses this path"),
    (r#"<object id="3" name="a" x="0" y="0" width="9" height="9"/><object id="4" name="a" x="20" y="0" width="9" height="9"/>"#, "object 4 \"a\": the name `a` is already taken"),
    (r#"<object id="3" gid="900000" x="0" y="0" width="9" height="9"/>"#, "no tileset of this map has this tile"),
    (r#"<object id="3" template="no.tx" x="0" y="0"/>"#, "there is no file `no.tx`"),
    (r#"<object id="3" type="bounds" x="0" y="0"><point/></object>"#, "`bounds` is a rectangle"),
    (r#"<object id="3" type="bounds" x="0" y="0"/>"#, "`bounds` must be"),
    (r#"<object id="3" x="0" y="0" width="9" height="9"><capsule/></object>"#, "capsules are not read"),
];

#[test]
fn mistakes_in_objects_name_the_object_and_the_right_name() {
    for (objects, message) in OBJECTS {
        let folder = game(&map(&layer(&format!("{objects}\n"))));
        let found = wrong(&folder);
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.contains(message), "{objects}\n{found:#?}");
        assert!(first.starts_with("levels/level.tmx:4:"), "{first}");
        // One mistake is one message, except that a wrong path is unused, too.
        assert!(found.len() <= 2, "{found:#?}");
    }
}

/// Elements of a map, and what the first message about them says.
#[rustfmt::skip]
const MAPS: &[(&str, &str)] = &[
    ("<properties><property name=\"gravty\" type=\"float\" value=\"1\"/></properties>", "unknown key `gravty`; did you mean `gravity`?"),
    ("<properties><property name=\"view\" value=\"front\"/></properties>", "`view` must be \"side\" or \"top\""),
    ("<properties><property name=\"demo\" value=\"none.input\"/></properties>", "there is no `none.input` in the level's folder"),
    ("<objectgroup name=\"a\"><properties><property name=\"surfce\" value=\"ice\"/></properties></objectgroup>", "a layer has no property `surfce`; did you mean `surface`?"),
    ("<objectgroup name=\"a\" parallaxx=\"0.5\"/>", "warning: layer \"a\": parallax has no effect"),
    ("<tileset firstgid=\"1\" source=\"other.tsx\"/>", "there is no file `other.tsx`"),
    ("<tileset firstgid=\"1\" name=\"x\"/>", "`<tileset>` needs the attribute `tilecount`"),
    ("<tileset firstgid=\"1\" source=\"bad.tsx\"/>", "levels/bad.tsx:1:1: error: this is not XML"),
    ("<tileset firstgid=\"1\" source=\"set.tsx\"/><layer id=\"1\" width=\"2\" height=\"1\"><data encoding=\"csv\">1</data></layer>", "layer 1: there are fewer tiles than the 2"),
    ("<tileset firstgid=\"1\" source=\"set.tsx\"/><layer id=\"1\" width=\"2\" height=\"1\"><data encoding=\"csv\">1,x</data></layer>", "tile 2 is not a number: \"x\""),
    ("<tileset firstgid=\"1\" source=\"set.tsx\"/><layer id=\"1\" width=\"2\" height=\"2\"><data encoding=\"csv\">1,0,2147483649,6</data></layer>", "levels/level.tmx:3:77: error: layer 1: row 1, column 1, counted from 0: no tileset of this map has a tile with the number 6"),
    ("<tileset firstgid=\"3\" source=\"set.tsx\"/><layer id=\"1\" width=\"2\" height=\"2\"><data encoding=\"csv\">3,7,2,99</data></layer>", "row 1, column 0, counted from 0: no tileset of this map has a tile with the number 2; another one in this layer is unknown, too"),
    ("<layer id=\"1\" width=\"1\" height=\"1\"><data encoding=\"base64\" compression=\"zstd\">KLUv</data></layer>", "tiles packed by `zstd` cannot be read"),
    ("<layer id=\"1\" width=\"1\" height=\"1\"><data encoding=\"base64\" compression=\"zlib\">AAAA</data></layer>", "the tiles cannot be unpacked"),
    ("<layer id=\"1\" width=\"1\" height=\"1\"><data encoding=\"base64\">*</data></layer>", "not valid base64"),
    ("<layer id=\"1\" width=\"1\" height=\"1\"><data><tile gid=\"1\"/></data></layer>", "tiles as XML elements cannot be read"),
    ("<layer id=\"1\" width=\"100000\" height=\"1\"/>", "`width` is 100000; it must be between 0 and 10000"),
];

#[test]
fn mistakes_in_maps_and_layers_are_found_at_their_place() {
    for (inner, message) in MAPS {
        let folder = game(&map(&format!(" {inner}\n")));
        folder.write("levels/bad.tsx", "tiles");
        let found = wrong(&folder);
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.contains(message), "{inner}\n{found:#?}");
    }
}

#[test]
fn other_files_are_refused() {
    for (text, message) in [
        ("", "this file is empty"),
        ("hello", "this is not XML"),
        ("<tileset/>", "this is not a map of Tiled: it begins with `<tileset>`"),
        ("<map>", "not closed"),
        ("<map></mop>", "not valid XML"),
        ("<map a=1/>", "not valid XML"),
        ("<map a='1' a='2'/>", "already defined"),
        ("<map a='&bomb;'/>", "not valid XML"),
        ("<map/>", "`<map>` needs the attribute `version`"),
        (&map("").replace("orthogonal", "isometric"), "levels are orthogonal maps; this one is `isometric`"),
        (&map("").replace("</map>", ""), "not closed"),
    ] {
        let found = wrong(&game(text));
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.contains(message), "{text}\n{found:#?}");
    }
}

#[test]
fn old_maps_that_name_their_dtd_are_read() {
    let text = map(&layer("<object id=\"3\" x=\"0\" y=\"0\" width=\"90\" height=\"9\"/>\n"));
    let named = text.replace("<map", "<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">\n<map");
    assert_ne!(named, text);
    for text in [text, named] {
        assert_eq!(wrong(&game(&text)), [""; 0], "{text}");
    }
}

#[test]
fn a_mistake_in_a_tileset_is_found_there_once() {
    let text = map(
        " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"2\" height=\"1\"><data encoding=\"csv\">1,1</data></layer>\n",
    );
    for (from, to, message) in [
        ("type=\"one_way\"", "type=\"oneway\"", ""),
        (
            "x=\"0\" y=\"0\" width=\"16\" height=\"16\"/>",
            "type=\"sold\" x=\"0\" y=\"0\" width=\"16\" height=\"16\"/>",
            "levels/set.tsx:5:62: error: object 1: a collision shape of a tile cannot have the class `sold`; did you mean `solid`?",
        ),
        (
            "x=\"0\" y=\"0\" width=\"16\" height=\"16\"/>",
            "x=\"0\" y=\"0\" width=\"16\" height=\"0\"/>",
            "point 3 repeats the point before it",
        ),
    ] {
        let folder = game(&text);
        folder.write("levels/set.tsx", &TILESET.replacen(from, to, 1));
        let found = wrong(&folder);
        // The tile with the one-way line is not in the map.
        let count = usize::from(!message.is_empty());
        assert_eq!(found.len(), count, "{found:#?}");
        assert!(found.iter().all(|text| text.contains(message)), "{found:#?}");
    }
}

#[test]
fn no_file_outside_of_the_game_folder_is_read() {
    let outside = Folder::empty();
    outside.write("set.tsx", TILESET);
    let path = outside.path("set.tsx");
    for source in [path.to_string_lossy().into_owned(), "../../../../../../../../etc/passwd".into()] {
        let folder = game(&map(&format!(" <tileset firstgid=\"1\" source=\"{source}\"/>\n")));
        let found = wrong(&folder);
        assert!(found.iter().any(|text| text.contains("leads out of the game folder")), "{found:#?}");
    }
}

/// A quarter of a gigabyte of zeros as zlib packs it, in base64: blocks that repeat the zero before them.
fn packed_zeros() -> String {
    // A fixed block: a zero, 258 more from one byte back, again and again. After the first bits, which are the
    // header and the zero, each repetition has the same 13 bits: length 258, distance 1.
    let mut bits: Vec<bool> = Vec::new();
    let mut push = |value: u32, count: u32| {
        bits.extend((0..count).rev().map(|i| value >> i & 1 == 1));
    };
    push(1, 1); // the last block,
    push(0b10, 2); // with fixed codes, lowest bit first
    push(0b0011_0000, 8);
    for _ in 0..1_000_000 {
        push(0b1100_0101, 8);
        push(0, 5);
    }
    push(0, 7);
    let byte = |bits: &[bool]| {
        let bits = bits.iter().enumerate();
        bits.fold(0_u8, |byte, (i, bit)| byte | u8::from(*bit) << i)
    };
    let mut bytes = vec![0x78, 0x9c];
    bytes.extend(bits.chunks(8).map(byte));
    bytes.extend([0; 6]);
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let whole = bytes.len() - bytes.len() % 3;
    let letter = |three: &[u8], i: u32| {
        let all = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
        char::from(LETTERS[(all >> (18 - 6 * i) & 63) as usize])
    };
    let threes = bytes[..whole].chunks(3);
    threes.flat_map(|three| (0..4).map(move |i| letter(three, i))).collect()
}

/// Maps that would take much memory, stack or time if nothing limited them.
fn attacks() -> Vec<(&'static str, String)> {
    let deep = |open: &str, close: &str, count: usize| format!("{}{}", open.repeat(count), close.repeat(count));
    let layer_of = |width: u32, height: u32, data: &str| {
        format!(
            " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"{width}\" height=\"{height}\">{data}</layer>\n"
        )
    };
    let bomb = format!("<data encoding=\"base64\" compression=\"zlib\">{}</data>", packed_zeros());
    let entities = "<!DOCTYPE map [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    let bombed = map(" <properties><property name=\"surface\" value=\"&b;\"/></properties>\n");
    let dots = ".a".repeat(100_000);
    vec![
        ("groups in groups", map(&deep("<group>", "</group>", 100_000))),
        ("properties in properties", map(&deep("<properties><property name=\"a\" type=\"class\">", "</property></properties>", 50_000))),
        ("dotted names", map(&format!(" <properties><property name=\"vars{dots}\" value=\"1\"/></properties>\n"))),
        ("arrays in arrays", map(&format!(" <properties><property name=\"vars.a\" value=\"{}\"/></properties>\n", "[".repeat(100_000)))),
        ("attributes", map(&format!(" <objectgroup{}/>\n", (0..50_000).map(|i| format!(" a{i}=\"1\"")).collect::<String>()))),
        ("entities", bombed.replace("<map", &format!("{entities}\n<map"))),
        ("a huge layer", map(&layer_of(10_000, 10_000, "<data encoding=\"csv\">1</data>"))),
        ("a huge chunk", map(&layer_of(2, 2, "<data encoding=\"csv\"><chunk x=\"2147483647\" y=\"0\" width=\"4000000000\" height=\"4\">1</chunk></data>")).replace("infinite=\"0\"", "infinite=\"1\"")),
        ("packed zeros", map(&layer_of(2, 2, &bomb))),
        ("a huge tileset", map(" <tileset firstgid=\"1\" name=\"a\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"4294967295\" columns=\"1\"><image source=\"a.png\" width=\"1\" height=\"1\"/></tileset>\n")),
        ("no columns", map(" <tileset firstgid=\"1\" name=\"a\" tilewidth=\"0\" tileheight=\"0\" tilecount=\"1\"><image source=\"a.png\" width=\"1\" height=\"1\"/></tileset>\n")),
        ("a template of itself", map(&layer("<object id=\"1\" template=\"self.tx\" x=\"0\" y=\"0\"/>\n"))),
        ("a tileset of itself", map(" <tileset firstgid=\"1\" source=\"self.tsx\"/>\n")),
        ("the map as its tileset", map(" <tileset firstgid=\"1\" source=\"level.tmx\"/>\n")),
    ]
}

#[test]
fn maps_made_to_take_much_memory_or_time_are_refused_quickly() {
    for (name, text) in attacks() {
        let folder = game(&text);
        folder.write("levels/self.tx", "<template><object template=\"self.tx\" x=\"0\" y=\"0\"/></template>");
        folder.write(
            "levels/self.tsx",
            "<tileset name=\"a\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"1\" columns=\"1\"><tile id=\"0\"><objectgroup>\
             <object id=\"1\" template=\"self.tx\"/></objectgroup></tile></tileset>",
        );
        let found = wrong(&folder);
        assert!(found.iter().any(|text| text.contains(": error: ")), "{name}: {found:#?}");
        // It is refused for what it is, not for the time that it takes.
        assert!(found.iter().all(|text| !text.contains("takes longer")), "{name}: {found:#?}");
        assert!(found.iter().all(|text| text.len() < 5_000), "{name}");
    }
}

#[test]
fn packed_tiles_are_exactly_as_many_as_fit() {
    let text = |data: &str| {
        let layer = "<layer id=\"1\" width=\"2\" height=\"2\"><data encoding=\"base64\"";
        map(&format!(" {layer} compression=\"zlib\">{data}</data></layer>\n"))
    };
    // Sixteen zeros, as four tiles have, packed by Python's zlib; then one fewer and one more.
    for (data, more) in [
        ("eJxjYEAFAAAQAAE=", None),
        ("eJxjYEABAAAPAAE=", Some("fewer")),
        ("eJxjYEADAAARAAE=", Some("more")),
        (&packed_zeros(), Some("more")),
    ] {
        let found = wrong(&game(&text(data)));
        let expected = more.map(|more| format!("layer 1: there are {more} tiles than the 4"));
        match expected {
            None => assert!(found.is_empty(), "{found:#?}"),
            Some(message) => assert!(found[0].contains(&message), "{found:#?}"),
        }
    }
}

#[test]
fn a_field_of_many_tiles_is_read_in_time() {
    let row = vec!["1"; 600].join(",");
    let rows = vec![row; 600].join(",\n");
    let data = format!("<data encoding=\"csv\">\n{rows}\n</data>");
    let text = map(&format!(
        " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"600\" height=\"600\">{data}</layer>\n"
    ));
    let folder = game(&text);
    let opened = crate::tiled::open(&folder, "levels/level.tmx");
    let revision = opened.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    // A full field is one solid.
    assert_eq!(revision.stage.level.terrain.solids().len(), 1);
}

/// A map with this tileset and a layer of tiles of this size.
fn field(tileset: &str, (width, height): (usize, usize), tile: impl Fn(usize, usize) -> u32) -> Folder {
    let row = |y| (0..width).map(|x| tile(x, y).to_string()).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..height).map(row).collect();
    let data = format!("<data encoding=\"csv\">\n{}\n</data>", rows.join(",\n"));
    let layer = |id| format!(" <layer id=\"{id}\" width=\"{width}\" height=\"{height}\">{data}</layer>\n");
    let folder = game(&map(&format!(" <tileset firstgid=\"1\" source=\"set.tsx\"/>\n{}{}", layer(1), layer(2))));
    folder.write("levels/set.tsx", tileset);
    folder
}

/// A tileset whose only tile has this shape and this property.
fn tile_of(shape: &str, property: &str) -> String {
    format!(
        "<tileset name=\"set\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\" columns=\"1\"><tile id=\"0\">\
         <properties>{property}</properties><objectgroup id=\"1\"><object id=\"1\" x=\"0\" y=\"0\">{shape}</object>\
         </objectgroup></tile></tileset>"
    )
}

#[test]
fn tiles_that_become_too_many_solids_are_refused_once_at_their_layer() {
    // Two layers with 15,000 blocks each: no two cells of a checkerboard are neighbors.
    let checkerboard = field(TILESET, (300, 100), |x, y| ((x + y) % 2) as u32);
    let found = wrong(&checkerboard);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("layer 2: up to here, tiles and ellipses become more than 25000 solids"), "{found:#?}");
}

#[test]
fn tiles_with_shapes_of_many_points_are_refused_before_these_are_copied() {
    let points: Vec<String> = (0..5_000).map(|i| format!("{},{}", i as f64 / 400.0, i % 2)).collect();
    let shape = format!("<polygon points=\"{} 8,16\"/>", points.join(" "));
    let found = wrong(&field(&tile_of(&shape, ""), (200, 200), |_, _| 1));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("layer 1: up to here") && found[0].contains("100000 points"), "{found:#?}");
}

#[test]
fn ellipses_count_with_the_points_of_the_polygons_that_replace_them() {
    // 32 points each.
    let ellipses: String = (0..3_126)
        .map(|i| format!("<object id=\"{i}\" x=\"{}\" y=\"0\" width=\"9\" height=\"9\"><ellipse/></object>\n", i * 16))
        .collect();
    let found = wrong(&game(&map(&layer(&ellipses))));
    assert!(found.iter().any(|text| text.contains("object 3125: up to here")), "{found:#?}");
}

#[test]
fn a_long_value_of_a_tile_is_not_copied_into_each_of_its_solids() {
    let property = format!("<property name=\"surface\" value=\"{}\"/>", "x".repeat(1 << 20));
    let tileset = tile_of("<ellipse/>", &property).replace("y=\"0\">", "y=\"0\" width=\"9\" height=\"9\">");
    let found = wrong(&field(&tileset, (40, 30), |_, _| 1));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("the value of `surface` is too long"), "{found:#?}");
}

#[test]
fn a_map_and_its_files_have_a_limited_number_of_elements_together() {
    let tilesets: String = (0..3)
        .map(|i| format!(" <tileset firstgid=\"{}\" source=\"{i}.tsx\"/>\n", i * 9 + 1))
        .collect();
    let folder = game(&map(&tilesets));
    let elements = "<x/>".repeat(150_000);
    for i in 0..3 {
        folder.write(
            &format!("levels/{i}.tsx"),
            &format!(
                "<tileset name=\"a\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"1\" columns=\"1\">{elements}</tileset>"
            ),
        );
    }
    let found = wrong(&folder);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("more than 400000 elements together"), "{found:#?}");
}

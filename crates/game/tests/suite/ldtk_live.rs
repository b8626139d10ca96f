//! Projects of the LDtk editor while the game runs: saved files take effect.

use crate::{
    projects::{game, level, project, walls},
    tiled::opened,
    tiled_live::notice,
};
use hangtime_game::{Notice, Reloader};
use serde_json::{Value, json};

#[test]
fn saving_a_project_or_the_file_of_its_level_takes_effect() {
    let cellar = |values: &[u32]| level("Cellar", &[], &[walls(2, values)]);
    let mut project = project(&[level("Cave", &[], &[walls(2, &[1, 0])]), cellar(&[1, 0])]);
    let second = &mut project["levels"][1];
    (second["layerInstances"], second["externalRelPath"]) = (Value::Null, json!("../rooms/Cellar.ldtkl"));
    let folder = game(&project);
    folder.write("rooms/Cellar.ldtkl", &cellar(&[1, 0]).to_string());
    let name = "levels/world.ldtk#Cellar";
    let revision = opened(&folder, name);
    let reloader = Reloader::new(folder.root(), folder.path(name), vec![], &revision);
    let ready = |expected: &str| match notice(&reloader) {
        Notice::Ready { revision, changed, .. } => {
            assert_eq!(changed, [expected]);
            revision
        }
        other => panic!("refused: {other:?}"),
    };
    folder.write("rooms/Cellar.ldtkl", &cellar(&[1, 3]).to_string());
    let revision = ready("rooms/Cellar.ldtkl");
    assert_eq!(revision.stage.level.terrain.solids().len(), 2);
    assert_eq!(&*revision.stage.level.name, name);
    project["defs"]["layers"][0]["intGridValues"][2]["identifier"] = json!("ladder");
    folder.write("levels/world.ldtk", &project.to_string());
    assert_eq!(ready("levels/world.ldtk").stage.level.terrain.solids().len(), 1);
    // A save that is cut off, and a project without the level, keep the last good revision.
    let text = project.to_string();
    folder.write("levels/world.ldtk", &text[..text.len() / 2]);
    let refused = notice(&reloader);
    assert!(matches!(refused, Notice::Broken(_)), "{refused:?}");
    folder.write("levels/world.ldtk", &text.replace("\"Cellar\"", "\"Cellar2\""));
    let refused = notice(&reloader);
    assert!(matches!(refused, Notice::Broken(_)), "{refused:?}");
}

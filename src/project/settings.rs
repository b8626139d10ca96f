//! `KEY=VALUE`: settings laid over the files.

use super::tree::{Data, Key, Node, Table, parse_value};
use crate::models::ModelName;
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The files of a game as trees, before they are read.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    pub config: Table,
    pub surfaces: Table,
    pub models: BTreeMap<ModelName, Table>,
    pub kinds: BTreeMap<String, Table>,
    /// Those of the kinds that scripts name, as one does who creates them.
    pub created: BTreeSet<String>,
    pub level: Table,
}

impl Trees {
    /// Lays a setting over the files. The key is a dotted path, such as `platformer.jump_speed`
    /// or `entities.hero.platformer.run_accel`; the value is TOML, or a bare word.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Diagnostic> {
        let text = format!("{key}={value}");
        let file = Arc::new(SourceFile {
            name: "setting".into(),
            text,
        });
        let path = path_of(&file, key);
        let offset = key.len() + 1;
        let node = parse_value(&file, offset).unwrap_or_else(|| Node {
            value: Data::Text(value.into()),
            place: Place::new(&file, offset..file.text.len()),
        });
        let (root, rest) = path
            .split_first()
            .expect("splitting gives at least one part");
        let wrong = |at: &Key, why: String| Err(Diagnostic::error(at.place.clone(), why));
        if rest.is_empty() {
            let roots = self.roots();
            let hint = suggestion(
                &root.name,
                roots.iter().map(String::as_str).collect::<Vec<_>>(),
            );
            return wrong(
                root,
                format!(
                    "a setting's key is a dotted path, such as `platformer.jump_speed`, not `{key}`{hint}"
                ),
            );
        }
        match root.name.as_str() {
            "simulation" | "scripts" | "window" => self.config.set(&path, node),
            "surfaces" => self.surfaces.set(rest, node),
            "level" => self.level.set(rest, node),
            "entities" => match self.kinds.get_mut(&rest[0].name) {
                Some(kind) if rest.len() > 1 => kind.set(&rest[1..], node),
                Some(_) => {
                    return wrong(
                        &rest[0],
                        format!("a setting of a kind goes on, as in `{key}.model`"),
                    );
                }
                None => {
                    let names: Vec<&str> = self.kinds.keys().map(String::as_str).collect();
                    let hint = suggestion(&rest[0].name, names);
                    return wrong(
                        &rest[0],
                        format!("there is no kind `{}`{hint}", rest[0].name),
                    );
                }
            },
            name => match ModelName::parse(name) {
                Some(model) => {
                    let table = self.models.entry(model);
                    table
                        .or_insert_with(|| Table::empty("setting"))
                        .set(rest, node);
                }
                None => {
                    let roots = self.roots();
                    let hint =
                        suggestion(name, roots.iter().map(String::as_str).collect::<Vec<_>>());
                    return wrong(root, format!("nothing is called `{name}`{hint}"));
                }
            },
        }
        Ok(())
    }

    /// What a setting's key may begin with.
    fn roots(&self) -> Vec<String> {
        let tables = [
            "simulation",
            "scripts",
            "window",
            "surfaces",
            "entities",
            "level",
        ];
        let models = ModelName::ALL.iter().map(|m| m.as_str());
        tables.into_iter().chain(models).map(String::from).collect()
    }
}

/// The parts of a dotted key, each with its place.
fn path_of(file: &Arc<SourceFile>, key: &str) -> Vec<Key> {
    let mut at = 0;
    key.split('.')
        .map(|name| {
            let place = Place::new(file, at..at + name.len());
            at += name.len() + 1;
            Key {
                name: name.into(),
                place,
            }
        })
        .collect()
}

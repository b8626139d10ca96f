//! What the scripts of the picked entity hold at the shown tick, for the text editor that has their files open.

use super::{
    panel::{rounded, short},
    *,
};
use hangtime_core::sim::Vars;
use hangtime_game::{GameFolder, ShownMoment};
use hangtime_script::{
    ListedScript,
    calls::{CallAnswer, ENTITY_PROPERTIES},
};

/// The file that says what the window shows while time stands still. It is gone while time runs, and with this value.
pub struct MomentFile {
    folder: GameFolder,
    /// What the last frame showed.
    seen: Option<ShownMoment>,
    written: Option<ShownMoment>,
}

impl MomentFile {
    /// The file of a game. One that another window has left is removed.
    pub fn new(folder: GameFolder) -> Self {
        let file = Self { folder, seen: None, written: None };
        file.write();
        file
    }

    /// Follows what a workbench shows in each frame. Writing takes longer than a frame may, so ticks that pass by while
    /// time is turned back are not written.
    pub fn follow(&mut self, bench: &Workbench) {
        let shown = bench.is_paused().then(|| bench.shown_moment()).flatten();
        if shown == self.seen && shown != self.written {
            self.written.clone_from(&shown);
            self.write();
        }
        self.seen = shown;
    }

    fn write(&self) {
        // It is a service to an editor. Where the folder cannot be written, the editor shows no values, and the game plays.
        let _ = ShownMoment::write(&self.folder, self.written.as_ref());
    }
}

impl Drop for MomentFile {
    fn drop(&mut self) {
        self.written = None;
        self.write();
    }
}

impl Workbench {
    /// What the scripts of the picked entity and of the level hold at the shown tick; `None` if no entity is picked.
    pub fn shown_moment(&self) -> Option<ShownMoment> {
        let (live, name) = (self.live(), self.picked()?);
        let (world, revision) = (live.world(), live.revision());
        let entity = world.entity(name)?;
        let mut moment = ShownMoment { tick: world.ticks(), entity: name.to_string(), ..ShownMoment::default() };
        let mut add = |script: &ListedScript, vars: &Vars| {
            let values = moment.values.entry(script.name().into()).or_default();
            values.extend(vars.0.to_plain().iter().map(|(name, value)| (name.to_string(), short(value))));
        };
        let script = |id| revision.scripts.get(id);
        if let (Some(id), Some(vars)) = (revision.stage.script, world.level_vars()) {
            add(script(id), vars);
        }
        let top = revision.stage.profiles[world.profile_of(entity)].script.map(script);
        let scripts = || top.into_iter().flat_map(|top| revision.scripts.layers_of(top));
        let vars = std::iter::once(&entity.vars).chain(entity.layers().iter().map(|layer| &layer.vars));
        scripts().zip(vars).for_each(|(script, vars)| add(script, vars));
        let view = world.view(&revision.stage, entity);
        let properties = ENTITY_PROPERTIES
            .iter()
            .filter_map(|it| Some((format!("me.{}", it.name), text_of(&(it.read)(&view))?)));
        let properties: BTreeMap<_, _> = properties.collect();
        for script in scripts() {
            moment.values.entry(script.name().into()).or_default().extend(properties.clone());
        }
        Some(moment)
    }
}

/// A property as text; `None` for one that has no short form.
fn text_of(answer: &CallAnswer<'_>) -> Option<String> {
    Some(match answer {
        CallAnswer::Flag(x) => x.to_string(),
        CallAnswer::Whole(x) => x.to_string(),
        CallAnswer::Number(x) => rounded(*x).to_string(),
        CallAnswer::Vec(v) if v.z == 0.0 => format!("({}, {})", rounded(v.x), rounded(v.y)),
        CallAnswer::Vec(v) => format!("({}, {}, {})", rounded(v.x), rounded(v.y), rounded(v.z)),
        CallAnswer::Text(text) => format!("{text:?}"),
        CallAnswer::Made(text) => format!("{text:?}"),
        CallAnswer::List(all) => format!("[{}]", all.iter().filter_map(text_of).collect::<Vec<_>>().join(", ")),
        _ => return None,
    })
}

//! `this`: script variables as a Rhai map, and in slots.
//!
//! The interpreter works on the map, compiled code on the slots. Either may be newer; each is brought up to date when
//! it is needed.

use super::{plain_vars::enforce_plain, slot_cache::SlotCache, *};
use crate::bytecode::Datum;
use hangtime_core::sim::{Digest, VarStore};
use std::borrow::Cow;

/// Variables in Rhai's representation. Between calls plain data.
#[derive(Debug)]
pub struct RhaiVars {
    /// The map that scripts access as `this`; `()` before the first interpreted call.
    this: Dynamic,
    /// The variables before the current call; between calls equal to `this`. Variables that a call
    /// leaves in an invalid state are restored from it.
    good: KeptVars,
    /// What checking `this` costs the tick, if it has been checked since it was changed and since the limits may have
    /// been.
    checked: Option<u64>,
    /// The variables of compiled code.
    cache: Option<SlotCache>,
}

impl RhaiVars {
    /// These variables in Rhai's representation; plain ones are converted first.
    #[inline]
    pub fn of(vars: &mut Vars) -> &mut Self {
        Self::adopt(vars);
        Self::converted(vars).expect("converted above")
    }

    /// Converts plain variables.
    #[inline]
    pub fn adopt(vars: &mut Vars) {
        if !vars.0.as_any().is::<Self>() {
            Self::convert(vars);
        }
    }

    /// These variables if they are in Rhai's representation, as they are from the first call on.
    #[inline]
    pub fn converted(vars: &mut Vars) -> Option<&mut Self> {
        vars.0.as_any_mut().downcast_mut()
    }

    #[cold]
    fn convert(vars: &mut Vars) {
        let good = KeptVars::of_plain(&vars.0.to_plain());
        *vars = Vars(Box::new(Self { this: Dynamic::UNIT, good, checked: None, cache: None }));
    }

    /// The map that scripts access as `this`, for an interpreted call.
    pub fn bind(&mut self) -> &mut Dynamic {
        if let Some(cache) = &mut self.cache {
            if cache.is_ahead() {
                self.checked = None;
                cache.write_to(&mut self.good);
                if let Ok(mut this) = self.this.as_map_mut() {
                    self.good.write_to(&mut this);
                }
            }
            cache.outdate();
        }
        if self.this.is_unit() {
            self.this = self.good.to_map().into();
        }
        &mut self.this
    }

    /// The variables for a call of compiled code that uses these names. None if they exceed a limit.
    #[inline]
    pub fn slots(&mut self, names: &Arc<SlotNames>, limits: &Limits) -> Option<SlotsOfCall<'_>> {
        let cache = self.cache.get_or_insert_with(SlotCache::default);
        cache.open(names, &mut self.good, limits)
    }

    /// Makes sure after an interpreted call that all variables are plain data and within the limits. A call that
    /// `only_reads` them costs the same operations, but there is nothing to check.
    ///
    /// # Errors
    /// The first variable that is not. All such variables are restored to their previous values; new
    /// ones are removed.
    pub fn enforce_plain(&mut self, limits: &Limits, only_reads: bool) -> Result<(), RejectedVar> {
        match self.checked.take().filter(|_| only_reads) {
            Some(price) => {
                charge_tick(price);
                self.checked = Some(price);
            }
            None => self.checked = Some(enforce_plain(&mut self.this, &mut self.good, limits)?),
        }
        Ok(())
    }

    /// The slots, if they are newer than the map.
    fn ahead(&self) -> Option<&SlotCache> {
        self.cache.as_ref().filter(|cache| cache.is_ahead())
    }

    /// All variables.
    fn current(&self) -> Cow<'_, KeptVars> {
        match self.ahead() {
            None => Cow::Borrowed(&self.good),
            Some(cache) => {
                let mut kept = self.good.clone();
                cache.apply_to(&mut kept);
                Cow::Owned(kept)
            }
        }
    }
}

fn digest_slot(slot: &VarSlot, digest: &mut Digest) {
    match slot {
        VarSlot::Plain(Datum::Whole(x)) => digest.words(&[2, *x as u64]),
        VarSlot::Plain(Datum::Number(x)) => digest.words(&[3, x.to_bits()]),
        VarSlot::Plain(Datum::Flag(x)) => digest.words(&[1, u64::from(*x)]),
        VarSlot::Text(text) => {
            digest.word(4);
            digest.text(text);
        }
        other => {
            if let Ok(plain) = other.with_dynamic(crate::engine::values::to_plain) {
                plain.digest(digest);
            }
        }
    }
}

impl VarStore for RhaiVars {
    /// A copy without the map of the interpreter: a kept world may never need it.
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        let Self { this: _, good, checked, cache } = self;
        Box::new(Self { this: Dynamic::UNIT, good: good.clone(), checked: *checked, cache: cache.clone() })
    }

    fn to_plain(&self) -> BTreeMap<String, Value> {
        self.current().to_plain()
    }

    fn digest(&self, digest: &mut Digest) {
        let Some(cache) = self.ahead() else {
            digest.words(&[6, self.good.len() as u64]);
            for (key, value) in self.good.iter() {
                digest.text(key);
                digest_slot(value, digest);
            }
            return;
        };
        let mut count = 0;
        cache.each(&self.good, |_, _| count += 1);
        digest.words(&[6, count]);
        cache.each(&self.good, |key, value| {
            digest.text(key);
            digest_slot(value, digest);
        });
    }

    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        if let Some(mut cache) = self.cache.take() {
            cache.write_to(&mut self.good);
        }
        self.good.fill(defaults);
        self.this = Dynamic::UNIT;
        self.checked = None;
    }

    fn same_as(&self, other: &dyn VarStore) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Self>() else {
            return self.current().same_as(&KeptVars::of_plain(&other.to_plain()));
        };
        match (&self.cache, &other.cache) {
            (Some(a), Some(b)) => a.same_as(b),
            _ => None,
        }
        .unwrap_or_else(|| self.current().same_as(&other.current()))
    }

    fn snapshot_into(&self, snapshot: &mut Box<dyn VarStore>) {
        let copy = snapshot.as_any_mut().downcast_mut::<Self>();
        if let (Some(copy), Some(cache)) = (copy, &self.cache)
            && let Some(of_copy) = &mut copy.cache
            && cache.copy_to(of_copy)
        {
            return;
        }
        // A snapshot is never bound to `this`.
        *snapshot = Box::new(Self {
            this: Dynamic::UNIT,
            good: self.current().into_owned(),
            checked: None,
            cache: self.cache.clone(),
        });
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

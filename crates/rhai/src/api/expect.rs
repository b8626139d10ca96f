//! `expect(x)`: assertions of a test.

use super::{entries::free_in_tests, *};
use hangtime_script::{BehaviorFailed, COMPARISONS, Compared, FailedExpectation};
use std::sync::atomic::{AtomicBool, Ordering};

/// The value that `expect` returns. Its copies share one [`Check`].
#[derive(Clone)]
struct Expectation {
    value: Dynamic,
    check: Arc<Check>,
}

/// Whether an expectation was ever compared with anything. If not, it is recorded when its last copy is dropped.
struct Check {
    compared: AtomicBool,
    place: UncheckedExpectation,
    record: Unchecked,
}

impl Drop for Check {
    fn drop(&mut self) {
        if !self.compared.load(Ordering::Relaxed) {
            let mut first = self.record.0.lock();
            first.get_or_insert_with(|| self.place.clone());
        }
    }
}

/// The first expectation of a test that compared nothing.
#[derive(Clone, Default)]
pub struct Unchecked(Arc<Mutex<Option<UncheckedExpectation>>>);

impl Unchecked {
    /// Takes it, before or after a test.
    pub(crate) fn take(&self) -> Option<UncheckedExpectation> {
        self.0.lock().take()
    }
}

/// The position of an `expect(…)` without a comparison.
#[derive(Clone, Debug)]
pub struct UncheckedExpectation {
    /// The name of its file, if known.
    pub file: Option<String>,
    /// Where it is.
    pub at: Position,
}

/// A value that is compared.
struct ComparedValue<'d>(&'d Dynamic);

impl Compared for ComparedValue<'_> {
    fn plain(&self) -> Option<Value> {
        to_plain(self.0).ok()
    }

    fn number(&self) -> Option<f64> {
        number(self.0)
    }

    fn show(&self) -> String {
        let value = self.0;
        if let Some(v) = value.clone().try_cast::<Vector>() {
            return format!("({}, {}, {})", v.x, v.y, v.z);
        }
        if let Ok(x) = value.as_float() {
            return format!("{x}");
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return format!("{:?}", text.as_str());
        }
        if value.is_fnptr() {
            return "a function".into();
        }
        format!("{value:?}")
    }
}

/// Doc of the overloads that take a note.
const WITH_NOTE: &str = prose! {
    /// `note` is put at the start of the failure message.
};

/// Registers `expect` and its comparisons. What compares nothing goes to `record`.
pub fn register(registry: &mut Registry<'_>, record: &Unchecked) {
    registry.topic(Topic::Expectations);
    registry.value::<Expectation>(Owner::Expectation);
    registry.value::<FailedExpectation>(Owner::Missed);
    registry.value::<BehaviorFailed>(Owner::Missed);
    let record = record.clone();
    registry.add(
        free_in_tests(
            "expect",
            prose! {
                /// Wraps a value so that you can check it with one of the comparisons below. An `expect` without a
                /// comparison fails the test.
            },
            "expect(hero.x).above(0);",
        )
        .takes(COMPARISONS[0].takes[0])
        .returns(Type::Expectation, ""),
        move |c: NativeCallContext<'_>, value: Dynamic| Expectation {
            value: value.flatten(),
            check: Arc::new(Check {
                compared: AtomicBool::new(false),
                place: UncheckedExpectation { file: c.call_source().map(String::from), at: c.call_position() },
                record: record.clone(),
            }),
        },
    );
    for comparison in &COMPARISONS {
        for (noted, takes) in comparison.takes.into_iter().enumerate() {
            let doc = [comparison.doc, WITH_NOTE][noted];
            let example = comparison.examples[noted];
            let entry = ApiEntry::call(Owner::Expectation, comparison.name, doc, example).takes(takes);
            registry.method(entry, move |expectation: &Expectation, values| {
                expectation.check.compared.store(true, Ordering::Relaxed);
                let note = if noted == 1 { values[values.len() - 1].to_string() } else { String::new() };
                let with: Vec<ComparedValue<'_>> = values.iter().map(|value| ComparedValue(value)).collect();
                let with: Vec<&dyn Compared> = with.iter().map(|side| side as &dyn Compared).collect();
                match comparison.compare(&ComparedValue(&expectation.value), &with, &note) {
                    Ok(()) => Ok(Dynamic::UNIT),
                    Err(failed) => Err(EvalAltResult::ErrorRuntime(Dynamic::from(failed), Position::NONE).into()),
                }
            });
        }
    }
    registry.add(
        ApiEntry::call(
            Owner::Missed,
            "to_string",
            prose! {
                /// The message of what `catch` has caught: of a failed expectation, or of a behavior that has failed.
            },
            "try { expect(1).equals(2); } catch (missed) { print(missed.to_string()); }",
        )
        .returns(Type::Text, ""),
        |failed: &mut FailedExpectation| failed.to_string(),
    );
    registry.overload(|failed: &mut BehaviorFailed| failed.to_string());
}

//! Joining the results files of the parts of one run.

use super::*;
use crate::divergence::Comparer;

/// The results of a whole run, joined from its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedResults {
    /// The header of the whole run, without a partition.
    pub header: ResultsHeader,
    /// Every case of the run, in order.
    pub cases: Vec<CaseRecord>,
}

/// The number of missing cases and of parts that a message lists.
const MOST_LISTED: usize = 5;

/// The largest number of characters of a value in a message.
const MOST_VALUE: usize = 120;

/// The longest time in a report, in seconds: files may have any number.
const LONGEST: f64 = 1e9;

/// Joins the parts of one run. The result is what one run of all cases would have written, except
/// for durations.
///
/// # Errors
/// [`Error::Invalid`] if this is not one whole run: headers disagree, a run did not end, a case is
/// missing or there twice, or two parts disagree on its hash or on another part of its result.
pub fn merge(files: &[ResultsFile]) -> Result<MergedResults, Error> {
    let Some((first, others)) = files.split_first() else {
        return Err(general("there are no results files to join").into());
    };
    let mut wrong = Mistakes::new();
    for other in others {
        wrong.extend(disagreements(first, other));
    }
    if wrong.has_errors() {
        // The cases of different runs have nothing to do with each other.
        return Err(wrong.finish().into());
    }
    let mut found: Vec<&(CaseRecord, Place)> = files.iter().flat_map(|file| &file.cases).collect();
    // Stable: cases with the same index stay in the order of the files.
    found.sort_by_key(|(case, _)| case.index);
    let double = found.windows(2).filter(|pair| pair[0].0.index == pair[1].0.index);
    wrong.extend(doubles(double.map(|pair| (pair[0], pair[1]))));
    found.dedup_by_key(|(case, _)| case.index);
    wrong.extend(files.iter().filter_map(unfinished));
    wrong.extend(missing(files, &found));
    if !wrong.has_errors() {
        let names = found.iter().map(|(case, _)| case.case.as_str());
        if plan_hash(names) != first.header.plan {
            let message = "the names of the cases do not have the hash `plan` of the headers: a file was \
                           changed after its run";
            wrong.push(general(message));
        }
    }
    if wrong.has_errors() {
        return Err(wrong.finish().into());
    }
    Ok(MergedResults {
        header: ResultsHeader { partition: None, ..first.header.clone() },
        cases: found.iter().map(|(case, _)| case.clone()).collect(),
    })
}

/// `FILE:LINE`
fn location(place: &Place) -> String {
    format!("{}:{}", place.file.name, place.position().0)
}

/// A message about all files together.
fn general(message: impl Into<String>) -> Diagnostic {
    Diagnostic { file: None, ..Diagnostic::about_file("", message) }
}

/// The fields of two headers that have to be equal and are not.
fn disagreements(first: &ResultsFile, other: &ResultsFile) -> Vec<Diagnostic> {
    let (a, b) = (&first.header, &other.header);
    let name = &first.file.name;
    let options = |text: &str| match text {
        "" => "no options".to_string(),
        options => format!("`{options}`"),
    };
    let mut found = Vec::new();
    let mut add = |message: String| {
        found.push(Diagnostic::about_file(other.file.name.clone(), message));
    };
    if a.command != b.command {
        add(format!("this is a part of a {}, but {name} is a part of a {}", b.command.name(), a.command.name()));
    }
    if a.hangtime != b.hangtime {
        add(format!("this part ran with hangtime {}, but {name} with hangtime {}", b.hangtime, a.hangtime));
    }
    if a.game != b.game {
        add(format!(
            "this part ran with other files of the game than {name}: their hash is {} here and {} \
             there",
            b.game, a.game
        ));
    }
    if (a.cases, &a.plan) != (b.cases, &b.plan) {
        add(format!(
            "this part is of a run of other cases than {name}: {} cases with the hash {} here, {} \
             with {} there; pass the same paths and filters to all parts",
            b.cases, b.plan, a.cases, a.plan
        ));
    }
    if a.options != b.options {
        add(format!("this part ran with {}, but {name} with {}", options(&b.options), options(&a.options)));
    }
    found
}

/// Messages about cases that are there twice: one for each that has different results, and one for
/// each pair of files with equal results.
fn doubles<'a>(pairs: impl Iterator<Item = (&'a (CaseRecord, Place), &'a (CaseRecord, Place))>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut equal: BTreeMap<(&str, &str), (&CaseRecord, &Place, String, usize)> = BTreeMap::new();
    for ((a, first), (b, second)) in pairs {
        let (case, there) = (&b.case, location(first));
        let message = if a.case != b.case {
            format!("case number {} is `{case}` here, but `{}` in {there}", b.index, a.case)
        } else if a.hash != b.hash {
            format!(
                "`{case}` ended with the hash {} here, but with {} in {there}: the same input must give the same hash on \
                 every machine",
                b.hash, a.hash
            )
        } else if a.outcome != b.outcome {
            let (here, other) = (b.outcome.words(), a.outcome.words());
            format!("`{case}` {here} here, but {other} in {there}, although both have the same hash")
        } else if let Some(differs) = differing_field(a, b) {
            let [here, other] = [differs.got, differs.expected].map(|value| cut(&value, MOST_VALUE).into_owned());
            let field = differs.field;
            format!("`{case}` has {here} as `{field}` here, but {other} in {there}, although both have the same hash")
        } else {
            let names = (first.file.name.as_str(), second.file.name.as_str());
            equal.entry(names).or_insert((b, second, there, 0)).3 += 1;
            continue;
        };
        found.push(Diagnostic::error(second.clone(), message));
    }
    for (case, place, there, count) in equal.into_values() {
        let more = match count {
            1 => String::new(),
            2 => ", and so is another case of this file".into(),
            count => format!(", and so are {} more cases of this file", count - 1),
        };
        let message = format!("`{}` is also in {there}{more}; pass the results of each part once", case.case);
        found.push(Diagnostic::error(place.clone(), message));
    }
    found
}

/// The first field in which two results of a case differ. The time, and the command line that runs the case again, depend
/// on the machine.
fn differing_field(a: &CaseRecord, b: &CaseRecord) -> Option<FieldDifference> {
    let [a, b] = [a, b].map(|case| {
        let alike = CaseRecord { ms: 0.0, replay: None, ..case.clone() };
        serde_json::to_value(alike).unwrap_or_default()
    });
    Comparer::default().difference("", Some(&a), Some(&b))
}

/// The message about a file whose run did not end.
fn unfinished(file: &ResultsFile) -> Option<Diagnostic> {
    if file.end.is_some() {
        return None;
    }
    let part = file.partition.map_or_else(|| "all cases".into(), |partition| partition.to_string());
    let message = format!(
        "the file ends without its last line, after {} case{}: the run did not end; run {part} again",
        file.cases.len(),
        if file.cases.len() == 1 { "" } else { "s" }
    );
    Some(Diagnostic::about_file(file.file.name.clone(), message))
}

/// The message about cases that no file has. `found` is sorted and without doubles.
fn missing(files: &[ResultsFile], found: &[&(CaseRecord, Place)]) -> Option<Diagnostic> {
    let cases = files.first()?.header.cases;
    let count = cases.saturating_sub(found.len() as u64);
    if count == 0 {
        return None;
    }
    let mut next = 0;
    let mut numbers = Vec::new();
    for index in found.iter().map(|(case, _)| case.index).chain([cases]) {
        let left = MOST_LISTED - numbers.len();
        numbers.extend((next..index).take(left).map(|n| n.to_string()));
        next = index.saturating_add(1);
    }
    let are = if count == 1 { "is" } else { "are" };
    let number = if count == 1 { "number" } else { "numbers" };
    let dots = if count > numbers.len() as u64 { ", …" } else { "" };
    let numbers = numbers.join(", ");
    let parts = missing_parts(files, found, cases);
    Some(general(format!("{count} of {cases} cases {are} missing, {number} {numbers}{dots} (counted from 0){parts}")))
}

/// The parts that have the missing cases: `: slice:2/7 (b.jsonl did not end), slice:5/7 (no file)`.
fn missing_parts(files: &[ResultsFile], found: &[&(CaseRecord, Place)], cases: u64) -> String {
    let Some(total) = files.iter().find_map(|f| Some(f.partition?.total())) else {
        return String::new();
    };
    let mut present: BTreeMap<u64, u64> = BTreeMap::new();
    for (case, _) in found {
        *present.entry(case.index % total).or_default() += 1;
    }
    let size = |k: u64| cases / total + u64::from(k < cases % total);
    let is_incomplete = |k: &u64| present.get(k).copied().unwrap_or(0) < size(*k);
    let mut parts: Vec<String> = (0..total)
        .filter(is_incomplete)
        .take(MOST_LISTED + 1)
        .filter_map(|k| {
            let part = Partition::new(k + 1, total)?;
            let file = files.iter().find(|f| f.partition == Some(part));
            let why = match file {
                None => "no file".to_string(),
                Some(file) if file.end.is_none() => format!("{} did not end", file.file.name),
                Some(file) => format!("not all are in {}", file.file.name),
            };
            Some(format!("{part} ({why})"))
        })
        .collect();
    if parts.len() > MOST_LISTED {
        parts.truncate(MOST_LISTED);
        parts.push("…".into());
    }
    format!(": {}", parts.join(", "))
}

impl MergedResults {
    /// The number of cases that passed.
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|c| c.outcome.passed()).count()
    }

    /// The number of cases that failed.
    pub fn failed(&self) -> usize {
        self.cases.len() - self.passed()
    }

    /// Writes a report as `hangtime test --junit` does: a suite for each test file, with a case for each
    /// test. Results files do not have what tests print.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_junit(&self, out: impl Write) -> io::Result<()> {
        let mut report = JunitReport::default();
        for case in &self.cases {
            let (file, name) = case.case.split_once("::").unwrap_or((&case.case, &case.case));
            report.push(JunitCase {
                file,
                name,
                line: 0,
                outcome: case.outcome,
                took: Duration::from_secs_f64((case.ms / 1000.0).clamp(0.0, LONGEST)),
                message: case.message.clone(),
                details: case.details(),
                printed: String::new(),
            });
        }
        report.write(out)
    }
}

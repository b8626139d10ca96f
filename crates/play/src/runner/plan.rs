//! The tests of a run, in their order.

use super::*;

/// A test and its place among all tests that the filters select, from 0.
#[derive(Clone, Debug)]
pub struct PlannedCase {
    /// The place.
    pub index: u64,
    /// The test.
    pub case: TestCase,
}

/// The tests of a run, in the order in which they start and are reported.
#[derive(Clone, Debug)]
pub struct TestPlan {
    /// The tests of this part of the run.
    pub cases: Vec<PlannedCase>,
    /// The number of tests in all parts.
    pub total: u64,
    /// The hash of the names of the tests in all parts.
    pub hash: String,
}

impl TestPlan {
    /// The tests that at least one of the filters selects, or all if there are none.
    pub fn new(cases: Vec<TestCase>, filters: &[TestFilter]) -> Self {
        let mut names = BTreeSet::new();
        let selected = |case: &TestCase| filters.is_empty() || filters.iter().any(|filter| filter.matches(case));
        let mut cases: Vec<TestCase> = cases.into_iter().filter(selected).collect();
        for case in &mut cases {
            // Only files that cannot be read can have the same name.
            while !names.insert(case.name.clone()) {
                case.name.push('_');
            }
        }
        let hash = plan_hash(cases.iter().map(|case| case.name.as_str()));
        let cases: Vec<PlannedCase> = (0..).zip(cases).map(|(index, case)| PlannedCase { index, case }).collect();
        Self { total: cases.len() as u64, hash, cases }
    }

    /// Only the tests of a part. The places of tests and the total stay as in the whole run.
    pub fn part(mut self, partition: Partition) -> Self {
        self.cases.retain(|case| partition.keeps(case.index));
        self
    }

    /// Only the tests with these names.
    pub fn only(mut self, names: &BTreeSet<String>) -> Self {
        self.cases.retain(|planned| names.contains(&planned.case.name));
        self
    }
}

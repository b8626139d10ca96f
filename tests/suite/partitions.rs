//! Partitions: which cases belong to which part, and how a job's environment names its part.

use hangtime::playtest::{MOST_SLICES, Partition};

fn part(text: &str) -> Partition {
    Partition::parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"))
}

#[test]
fn every_case_is_in_exactly_one_part_and_parts_differ_by_at_most_one_case() {
    for total in [1, 2, 3, 7, 40] {
        for cases in [0, 1, 6, 7, 8, 33] {
            let parts: Vec<Partition> = (1..=total).map(|k| Partition::new(k, total).expect("a part")).collect();
            for case in 0..cases {
                let holders: Vec<_> = parts.iter().filter(|part| part.keeps(case)).collect();
                assert_eq!(holders.len(), 1, "{case} of {cases} in {total}");
                assert_eq!(*holders[0], parts[0].with(case));
            }
            let size = |part: &Partition| (0..cases).filter(|case| part.keeps(*case)).count();
            let sizes: Vec<usize> = parts.iter().map(size).collect();
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            assert!(most.expect("a part") - least.expect("a part") <= 1);
            assert!(sizes.is_sorted_by(|a, b| a >= b), "the first parts are the larger ones");
        }
    }
}

#[test]
fn neighbors_go_to_different_parts() {
    let second = part("slice:2/3");
    let kept: Vec<u64> = (0..10).filter(|case| second.keeps(*case)).collect();
    assert_eq!(kept, [1, 4, 7]);
    assert_eq!(second.to_string(), "slice:2/3");
    assert_eq!((second.slice(), second.total()), (2, 3));
}

#[test]
fn rejects_parts_that_do_not_exist_and_says_what_to_write() {
    let most = format!("slice:1/{MOST_SLICES}");
    assert_eq!(part(&most).total(), MOST_SLICES);
    let too_many = format!("slice:1/{}", MOST_SLICES + 1);
    for (text, what) in [
        ("slice:0/3", "counted from 1 to 3"),
        ("slice:4/3", "no part 4"),
        ("slice:1/0", "at least 1 part"),
        ("slice:0/0", "at least 1 part"),
        (too_many.as_str(), "at most 1000000 parts"),
        ("slice:99999999999999999999/3", "slice:2/7"),
        ("slice:-1/3", "slice:2/7"),
        ("slice:+1/3", "slice:2/7"),
        ("slice: 1/3", "slice:2/7"),
        ("slice:1", "slice:2/7"),
        ("slice:/", "slice:2/7"),
        ("hash:1/3", "slice:2/7"),
        ("1/3", "slice:2/7"),
        ("", "slice:2/7"),
        ("env", "slice:2/7"),
    ] {
        let wrong = Partition::parse(text).expect_err(text);
        assert!(wrong.contains(what), "{text}: {wrong}");
    }
    for text in ["env/", "env/x", "environment", "env7"] {
        let wrong = Partition::from_argument(text).expect_err(text);
        assert!(wrong.contains("slice:2/7"), "{text}: {wrong}");
    }
    assert_eq!(Partition::from_argument("slice:2/7"), Ok(part("slice:2/7")));
}

/// The part that these variables mean.
fn of(total: Option<u64>, variables: &[(&str, &str)]) -> Result<String, String> {
    let variable = |name: &str| {
        let found = variables.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value.to_string())
    };
    Partition::from_variables(total, variable).map(|part| part.to_string())
}

#[test]
fn takes_the_part_from_the_environment_of_jobs() {
    let ok = |text: &str| Ok(text.to_string());
    // Kubernetes counts from 0.
    let index = ("JOB_COMPLETION_INDEX", "0");
    assert_eq!(of(None, &[index, ("JOB_COMPLETION_COUNT", "3")]), ok("slice:1/3"));
    assert_eq!(of(Some(3), &[("JOB_COMPLETION_INDEX", "2")]), ok("slice:3/3"));
    // A Slurm array may begin anywhere and have steps.
    let slurm = |id, min, step, count| {
        of(
            None,
            &[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_STEP", step),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ],
        )
    };
    assert_eq!(slurm("0", "0", "1", "4"), ok("slice:1/4"));
    assert_eq!(slurm("4", "1", "1", "4"), ok("slice:4/4"));
    assert_eq!(slurm("14", "10", "2", "4"), ok("slice:3/4"));
    // CI systems count from 1.
    let ci = [("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "5")];
    assert_eq!(of(None, &ci), ok("slice:1/5"));
    // Two systems that agree are no problem.
    let both = [index, ("JOB_COMPLETION_COUNT", "5"), ci[0], ci[1]];
    assert_eq!(of(None, &both), ok("slice:1/5"));
}

/// The number of parts that was passed, variables, and the message about them.
type WrongEnvironment = (Option<u64>, Vec<(&'static str, &'static str)>, &'static str);

#[test]
fn says_which_variable_is_missing_or_wrong() {
    let slurm = |id: &'static str, count: &'static str| {
        vec![
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    };
    let cases: Vec<WrongEnvironment> = vec![
        (None, vec![], "none of JOB_COMPLETION_INDEX"),
        (None, vec![("JOB_COMPLETION_INDEX", "1")], "JOB_COMPLETION_COUNT is not"),
        (Some(3), vec![("JOB_COMPLETION_INDEX", "3")], "no part 4"),
        (Some(3), vec![("JOB_COMPLETION_INDEX", "x")], "not `x`"),
        (Some(3), vec![("JOB_COMPLETION_INDEX", "-1")], "not `-1`"),
        (Some(3), vec![("JOB_COMPLETION_INDEX", "18446744073709551615")], "no part"),
        (None, vec![("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "2")], "no part 0"),
        (None, vec![("CI_NODE_INDEX", "1")], "CI_NODE_TOTAL is not"),
        (None, vec![("CI_NODE_INDEX", ""), ("CI_NODE_TOTAL", "2")], "CI_NODE_INDEX"),
        (Some(3), vec![("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "2")], "slice:K/3"),
        (Some(3), vec![("SLURM_ARRAY_TASK_ID", "1")], "SLURM_ARRAY_TASK_MIN is not"),
        (None, slurm("4", "3"), "in steps of 2"),
        (None, slurm("0", "3"), "not in an array from 1"),
        // One part of an array of three that runs again: 3 is not the first of one part.
        (Some(3), slurm("3", "1"), "pass `slice:K/3`"),
        (
            Some(4),
            vec![("JOB_COMPLETION_INDEX", "0"), ("CI_NODE_INDEX", "2")],
            "means slice:1/4, but CI_NODE_INDEX means slice:2/4",
        ),
    ];
    for (total, variables, what) in cases {
        let wrong = of(total, &variables).expect_err("a message");
        assert!(wrong.contains(what), "{variables:?}: {wrong}");
    }
}

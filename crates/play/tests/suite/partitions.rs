//! Partitions: which cases belong to which part.

use hangtime_play::{MOST_SLICES, Partition};

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
}

use super::*;

#[test]
fn a_step_removes_deviations() {
    // One row for each coordinate, one column for each unknown.
    let columns = vec![vec![2.0, 1.0], vec![-1.0, 3.0]];
    for deviations in [[1.0, 0.0], [-3.0, 4.0], [1e-6, 1e6]] {
        let step = least_step(&columns, &deviations).expect("independent slopes");
        for (row, deviation) in deviations.iter().enumerate() {
            let left = deviation + columns[0][row] * step[0] + columns[1][row] * step[1];
            assert!(left.abs() < 1e-6 * deviations[0].abs().max(deviations[1].abs()), "row {row}: {left}");
        }
    }
}

#[test]
fn of_all_steps_the_shortest_is_chosen() {
    // 3 a + 4 b = 5 has its nearest solution along (3, 4).
    let step = least_step(&[vec![3.0], vec![4.0]], &[-5.0]).expect("a slope");
    assert!((step[0] - 0.6).abs() < 1e-6 && (step[1] - 0.8).abs() < 1e-6, "{step:?}");
}

#[test]
fn too_few_unknowns_come_as_near_as_they_can() {
    // One unknown moves both coordinates alike, so the mean of both deviations is removed.
    let step = least_step(&[vec![1.0, 1.0]], &[1.0, 3.0]).expect("a slope");
    assert!((step[0] + 2.0).abs() < 1e-6, "{step:?}");
}

#[test]
fn without_slopes_there_is_no_step() {
    assert_eq!(least_step(&[vec![0.0]], &[1.0]), None);
    assert_eq!(least_step(&[vec![f64::NAN]], &[1.0]), None);
}

//! The smallest step that makes several deviations vanish, as far as slopes tell.

/// Added to the diagonal, as a share of its largest element: without it, nearly parallel slopes make steps without bound.
const DAMPING: f64 = 1e-9;

/// The step of least length that removes `deviations`, given a column of slopes for each unknown; the nearest one if none does
/// it whole. `None` if the slopes are none.
pub fn least_step(columns: &[Vec<f64>], deviations: &[f64]) -> Option<Vec<f64>> {
    let (unknowns, rows) = (columns.len(), deviations.len());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    if unknowns < rows {
        // Too few unknowns: the least squares.
        let matrix = square(unknowns, |i, j| dot(&columns[i], &columns[j]));
        let right = columns.iter().map(|column| -dot(column, deviations)).collect();
        return solved(matrix, right);
    }
    let matrix = square(rows, |i, j| columns.iter().map(|column| column[i] * column[j]).sum());
    let weights = solved(matrix, deviations.iter().map(|deviation| -deviation).collect())?;
    Some(columns.iter().map(|column| dot(column, &weights)).collect())
}

fn square(size: usize, element: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut matrix: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| element(i, j)).collect()).collect();
    let largest = (0..size).map(|i| matrix[i][i]).fold(0.0, f64::max);
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += DAMPING * largest;
    }
    matrix
}

/// The solution of linear equations, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let divisor = matrix[column][column];
        if divisor == 0.0 || !divisor.is_finite() {
            return None;
        }
        for row in column + 1..size {
            let factor = matrix[row][column] / divisor;
            let (above, below) = matrix.split_at_mut(row);
            for (element, upper) in below[0].iter_mut().zip(&above[column]).skip(column) {
                *element -= factor * upper;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}

#[cfg(test)]
#[path = "../../tests/unit/wish/solve.rs"]
mod tests;

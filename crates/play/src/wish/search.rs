//! The search: which small changes of few numbers bring the wished points where they are wished. Every candidate is played, so
//! answers hold for scripts, terrain and everything else that moves.

use super::*;

/// An answer brings each coordinate at most this near, px.
const NEAR: f64 = 0.1;

/// The search ends here, px, so that rounded values are still near enough.
const NEARER: f64 = 0.02;

/// By which shift numbers are varied to find slopes, and those that seem to do nothing.
const PROBE: f64 = 0.02;
const WIDE_PROBE: f64 = 0.7;

/// A coordinate that moves by less than this, px, has not moved.
const MOVED: f64 = 1e-7;

/// The first step of a search, its growth, and the shortest one.
const FIRST_STEPS: std::ops::RangeInclusive<f64> = 0.01..=0.3;
const GROWTH: f64 = 1.6;
const SHORTEST: f64 = 0.002;

/// The most plays of one number, of one bracket, and of several numbers together.
const MOST_STEPS: usize = 14;
const MOST_HALVINGS: usize = 40;
const MOST_ROUNDS: usize = 14;

/// The largest shift in one round of several numbers.
const LARGEST_SHIFT: f64 = 0.4;

/// A bracket as narrow as this whose ends differ by more than a px has a jump in it, not an answer.
const NARROW: f64 = 1e-6;
const JUMP: f64 = 1.0;

/// Of how many numbers several change together, the strongest first.
const STRONGEST: usize = 6;

/// The significant digits that are tried, fewest first.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=8;

/// The most ticks of bodies that a search plays. Where there are more bodies or the path is long, fewer numbers are tried.
const MOST_BODY_TICKS: usize = 12_000_000;

/// The fewest numbers that are tried, and about how many plays each takes.
const FEWEST: usize = 4;
const PLAYS_OF_NUMBER: usize = 12;

/// Where a point of the path is wished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// The point.
    pub point: WishPoint,
    /// Where it is wished, px; `None` for a coordinate that may change.
    pub to: [Option<f64>; 2],
}

/// A number and its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct WishedChange {
    /// The number.
    pub number: EditableNumber,
    /// The new value.
    pub value: f64,
}

/// Changes that grant all wishes.
#[derive(Clone, Debug)]
pub struct WishAnswer {
    /// The numbers that change.
    pub changes: Vec<WishedChange>,
    /// The path with them.
    pub path: WishPath,
    /// The largest deviation of a wished coordinate, px.
    pub off: f64,
    /// How much the numbers change: the length of the logarithms of their factors.
    pub size: f64,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct WishAnswers {
    /// The path without a change.
    pub now: WishPath,
    /// The answers, the smallest change first. Empty if the wishes are granted already.
    pub answers: Vec<WishAnswer>,
    /// If there are none: the changes that come nearest.
    pub nearest: Option<WishAnswer>,
    /// How many numbers move a wished point, and how many times the stretch was played.
    pub tried: (usize, usize),
}

/// A stretch of a game, and what is wished of it.
pub struct WishSearch<'a, P> {
    /// The revision whose numbers change.
    pub revision: &'a Arc<Revision>,
    /// The profile of the body.
    pub profile: usize,
    /// What is wished.
    pub wishes: &'a [Wish],
    /// Plays the stretch under a revision, at least until these points are known, or whole if there are none; `None` if it was
    /// stopped.
    pub play: P,
    /// The number of threads.
    pub threads: usize,
}

/// A number with what its variation has shown.
#[derive(Clone)]
struct WishProbe {
    number: EditableNumber,
    /// How each deviation changes with the shift; zeros if it does so only far from the present value.
    slopes: Vec<f64>,
}

/// Changes that were played: the shifts of some numbers, and the deviations.
#[derive(Clone)]
struct WishTrial {
    shifts: Vec<f64>,
    deviations: Vec<f64>,
}

impl WishTrial {
    fn off(&self) -> f64 {
        largest(&self.deviations)
    }
}

/// What a search for some numbers has found: an answer, or how near it came.
struct WishFound {
    probes: Vec<usize>,
    best: WishTrial,
    plays: usize,
}

fn largest(deviations: &[f64]) -> f64 {
    deviations.iter().fold(0.0, |largest, deviation| deviation.abs().max(largest))
}

fn length(shifts: &[f64]) -> f64 {
    shifts.iter().map(|shift| shift * shift).sum::<f64>().sqrt()
}

/// The search was stopped.
struct SearchStopped;

/// What a part of a search has found, unless it was stopped.
type Searched<T> = Result<T, SearchStopped>;

impl<P: Fn(&Arc<Revision>, &[WishPoint]) -> Option<WishPath> + Sync> WishSearch<'_, P> {
    /// Searches. `None` if it was stopped.
    ///
    /// # Errors
    /// Why there is nothing to search: the path has no such point.
    pub fn answers(&self) -> Option<Result<WishAnswers, String>> {
        self.search().ok()
    }

    fn search(&self) -> Searched<Result<WishAnswers, String>> {
        let now = self.played(self.revision, &[])?;
        if let Some(missing) = self.wishes.iter().find(|wish| now.spot(wish.point).is_none()) {
            return Ok(Err(format!("the path has no {}", missing.point.words())));
        }
        let Some(start) = self.deviations(&now) else { return Ok(Err("nothing is wished".into())) };
        let none = |tried| WishAnswers { now: now.clone(), answers: Vec::new(), nearest: None, tried };
        if largest(&start) <= NEAR || start.is_empty() {
            return Ok(Ok(none((0, 1))));
        }
        let numbers = wish_numbers(self.revision, self.profile, &now);
        let body_ticks = now.places.len().max(1) * self.revision.stage.starts.len().max(1);
        let most = (MOST_BODY_TICKS / body_ticks / PLAYS_OF_NUMBER).max(FEWEST);
        let (probes, mut plays) = self.probes(&numbers[..numbers.len().min(most)], &start)?;
        let alone = |index: usize| self.alone(&probes, index, &start);
        let mut found = self.each(probes.len(), alone)?;
        let met = |found: &WishFound| found.best.off() <= NEAR;
        // A height at which the ground keeps every landing is no second wish.
        let moves = |row: &usize| probes.iter().any(|probe| probe.slopes[*row].abs() * PROBE > MOVED);
        let wished = (0..start.len()).filter(moves).count();
        let few = wished.max(2);
        for size in [few, few + 1] {
            // Where one coordinate is wished and one number is enough, nothing is gained by changing more.
            if found.iter().any(met) && (wished <= 1 || size > few) {
                break;
            }
            let sets = sets_of(&probes, &found, size);
            found.extend(self.each(sets.len(), |index| self.together(&probes, &sets[index], &start))?);
        }
        plays += 1 + found.iter().map(|found| found.plays).sum::<usize>();
        let finished = self.each(found.len(), |index| {
            let found = &found[index];
            if found.best.off() <= NEAR { self.rounded(&probes, found) } else { Ok(None) }
        })?;
        let mut answers: Vec<WishAnswer> = finished.into_iter().flatten().collect();
        answers.sort_by(|a, b| a.changes.len().cmp(&b.changes.len()).then(a.size.total_cmp(&b.size)));
        let mut nearest = None;
        if answers.is_empty() {
            let best = found.iter().min_by(|a, b| a.best.off().total_cmp(&b.best.off()));
            // Changes that bring it hardly nearer help no user.
            if let Some(best) = best.filter(|best| best.best.off() < 0.99 * largest(&start)) {
                nearest = self.answer(&probes, best, |value| number_text(value, *DIGITS.end()))?;
            }
        }
        Ok(Ok(WishAnswers { answers, nearest, ..none((probes.len(), plays)) }))
    }

    fn played(&self, revision: &Arc<Revision>, wanted: &[WishPoint]) -> Searched<WishPath> {
        (self.play)(revision, wanted).ok_or(SearchStopped)
    }

    /// Does work on several threads.
    fn each<T: Send>(&self, count: usize, work: impl Fn(usize) -> Searched<T> + Sync) -> Searched<Vec<T>> {
        let mut all = Vec::with_capacity(count);
        in_order(
            count,
            self.threads,
            |index| work(index).ok(),
            |one| {
                all.push(one);
                true
            },
        );
        if all.len() == count { Ok(all) } else { Err(SearchStopped) }
    }

    fn points(&self) -> Vec<WishPoint> {
        self.wishes.iter().map(|wish| wish.point).collect()
    }

    /// How far each wished coordinate is from where it is wished, px; `None` if a point is missing.
    fn deviations(&self, path: &WishPath) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        for wish in self.wishes {
            let at = path.spot(wish.point)?.at;
            let axes = wish.to.iter().zip([at.x, at.y]);
            all.extend(axes.filter_map(|(to, at)| Some(at - (*to)?)));
        }
        Some(all)
    }

    /// Plays with other values. `None` if a point is missing then, or the values are refused.
    fn try_values(&self, values: &[(&EditableNumber, f64)]) -> Searched<Option<Vec<f64>>> {
        let varied = values.iter().filter(|(number, value)| *value != number.value);
        let changes: Option<Vec<TuningChange>> = varied.map(|(number, value)| number.changed(*value)).collect();
        let Some(changes) = changes else { return Ok(None) };
        let Ok(revision) = self.revision.retuned(self.revision.number, &changes) else { return Ok(None) };
        let path = self.played(&Arc::new(revision), &self.points())?;
        Ok(self.deviations(&path))
    }

    fn try_shift(&self, number: &EditableNumber, shift: f64) -> Searched<Option<Vec<f64>>> {
        self.try_values(&[(number, number.at(shift))])
    }

    /// The numbers that move a wished point, and how many times the stretch was played to find them.
    fn probes(&self, numbers: &[EditableNumber], start: &[f64]) -> Searched<(Vec<WishProbe>, usize)> {
        let probed = self.each(numbers.len(), |index| self.probe(&numbers[index], start))?;
        let mut plays = 2 * numbers.len();
        // What does nothing near its value may do so far from it. All of these are varied at once, as most do nothing.
        let idle: Vec<&EditableNumber> =
            numbers.iter().zip(&probed).filter(|(_, p)| p.is_none()).map(|(n, _)| n).collect();
        let mut woken = Vec::new();
        for shift in [WIDE_PROBE, -WIDE_PROBE] {
            let values: Vec<_> = idle.iter().map(|number| (*number, clamped(number, shift))).collect();
            plays += 1;
            if self.try_values(&values)?.as_deref().is_none_or(|now| has_moved(now, start)) {
                let moves = |index: usize| {
                    let now = self.try_values(&[values[index]])?;
                    Ok(now.is_none_or(|now| has_moved(&now, start)))
                };
                let moving = self.each(values.len(), moves)?;
                plays += values.len();
                woken.extend(idle.iter().zip(moving).filter(|(_, moves)| *moves).map(|(number, _)| (*number).clone()));
            }
        }
        let mut probes: Vec<WishProbe> = Vec::new();
        for (number, slopes) in numbers.iter().zip(probed) {
            let slopes = slopes.or_else(|| woken.contains(number).then(|| vec![0.0; start.len()]));
            probes.extend(slopes.map(|slopes| WishProbe { number: number.clone(), slopes }));
        }
        Ok((probes, plays))
    }

    /// The slopes at the present value; `None` if nothing moves near it.
    fn probe(&self, number: &EditableNumber, start: &[f64]) -> Searched<Option<Vec<f64>>> {
        let mut sides = Vec::new();
        for shift in [PROBE, -PROBE] {
            let shift = shift.clamp(number.bounds().0, number.bounds().1);
            if shift == 0.0 {
                continue;
            }
            let now = self.try_shift(number, shift)?;
            let slope = |now: Vec<f64>| now.iter().zip(start).map(|(now, start)| (now - start) / shift).collect();
            sides.push(now.map(slope));
        }
        let known: Vec<Vec<f64>> = sides.iter().flatten().cloned().collect();
        if known.is_empty() {
            return Ok((!sides.is_empty()).then(|| vec![0.0; start.len()]));
        }
        let mean = |row: usize| known.iter().map(|side| side[row]).sum::<f64>() / known.len() as f64;
        let moves = known.iter().flatten().any(|slope| slope.abs() * PROBE > MOVED) || known.len() < sides.len();
        Ok(moves.then(|| (0..start.len()).map(mean).collect()))
    }

    /// Searches the value of one number.
    fn alone(&self, probes: &[WishProbe], index: usize, start: &[f64]) -> Searched<WishFound> {
        let WishProbe { number, slopes } = &probes[index];
        let mut found = WishFound {
            probes: vec![index],
            best: WishTrial { shifts: vec![0.0], deviations: start.to_vec() },
            plays: 0,
        };
        // The coordinate that is farthest off leads; the others are looked at where it fits.
        let lead = (0..start.len()).max_by(|a, b| start[*a].abs().total_cmp(&start[*b].abs())).unwrap_or(0);
        let newton = -start[lead] / slopes[lead];
        let first = if newton.is_finite() { newton.abs() } else { WIDE_PROBE };
        let ways: &[f64] = match newton.is_finite() {
            true => &[newton.signum(), -newton.signum()],
            false => &[1.0, -1.0],
        };
        for way in ways {
            if self.toward(number, (*way, first), (lead, start), &mut found)? {
                break;
            }
        }
        Ok(found)
    }

    /// Goes from the present value one way, until a point is passed and found. Returns whether all deviations vanish there.
    fn toward(
        &self,
        number: &EditableNumber,
        (way, first): (f64, f64),
        (lead, start): (usize, &[f64]),
        found: &mut WishFound,
    ) -> Searched<bool> {
        let (low, high) = number.bounds();
        let mut behind = (0.0, start.to_vec());
        let mut step = (first * 1.05).clamp(*FIRST_STEPS.start(), *FIRST_STEPS.end());
        for _ in 0..MOST_STEPS {
            let shift = (behind.0 + way * step).clamp(low, high);
            if shift == behind.0 || step < SHORTEST {
                return Ok(false);
            }
            let Some(now) = self.note(number, shift, found)? else {
                step *= 0.5;
                continue;
            };
            if largest(&now) <= NEARER {
                return Ok(true);
            }
            let before = behind.1[lead];
            if before * now[lead] <= 0.0
                && self.between(number, [(behind.0, before), (shift, now[lead])], lead, found)?
            {
                return Ok(true);
            }
            let slope = (now[lead] - before) / (shift - behind.0);
            let ahead = (-now[lead] / slope / way).abs() * 1.05;
            behind = (shift, now);
            step = if ahead.is_finite() && slope != 0.0 {
                ahead.clamp(step * 0.5, step * GROWTH)
            } else {
                step * GROWTH
            };
        }
        Ok(false)
    }

    /// Plays with a shift of one number, and notes it if it is the best so far.
    fn note(&self, number: &EditableNumber, shift: f64, found: &mut WishFound) -> Searched<Option<Vec<f64>>> {
        found.plays += 1;
        let now = self.try_shift(number, shift)?;
        if let Some(now) = &now
            && largest(now) < found.best.off()
        {
            found.best = WishTrial { shifts: vec![shift], deviations: now.clone() };
        }
        Ok(now)
    }

    /// Halves a bracket, at the place that a straight line suggests. Returns whether all deviations vanish in it.
    fn between(
        &self,
        number: &EditableNumber,
        ends: [(f64, f64); 2],
        lead: usize,
        found: &mut WishFound,
    ) -> Searched<bool> {
        let [mut a, mut b] = ends;
        let mut same = 0.0;
        for round in 0..MOST_HALVINGS {
            let straight = a.0 - a.1 * (b.0 - a.0) / (b.1 - a.1);
            // Where the line leads nowhere, the middle does.
            let shift = if round % 3 == 2 || !straight.is_finite() {
                f64::midpoint(a.0, b.0)
            } else {
                straight
            };
            let Some(now) = self.note(number, shift, found)? else { return Ok(false) };
            if largest(&now) <= NEARER {
                return Ok(true);
            }
            let value = now[lead];
            if value.abs() <= NEARER * 0.01 || (b.0 - a.0).abs() < NARROW && (b.1 - a.1).abs() > JUMP {
                return Ok(false);
            }
            // The end that stays twice counts half, so that both come nearer.
            if value * a.1 > 0.0 {
                a = (shift, value);
                b.1 *= if same > 0.0 { 0.5 } else { 1.0 };
                same = 1.0;
            } else {
                b = (shift, value);
                a.1 *= if same < 0.0 { 0.5 } else { 1.0 };
                same = -1.0;
            }
            if a.0 == b.0 {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Searches the values of several numbers.
    fn together(&self, probes: &[WishProbe], set: &[usize], start: &[f64]) -> Searched<WishFound> {
        let at = WishTrial { shifts: vec![0.0; set.len()], deviations: start.to_vec() };
        let mut found = WishFound { probes: set.to_vec(), best: at.clone(), plays: 0 };
        let mut columns: Vec<Vec<f64>> = set.iter().map(|index| probes[*index].slopes.clone()).collect();
        let mut at = at;
        let mut reach = LARGEST_SHIFT;
        for _ in 0..MOST_ROUNDS {
            let Some(step) = least_step(&columns, &at.deviations) else { break };
            let scale = (reach / length(&step)).min(1.0);
            let shifts: Vec<f64> = set
                .iter()
                .zip(at.shifts.iter().zip(&step))
                .map(|(index, (shift, step))| {
                    let (low, high) = probes[*index].number.bounds();
                    (shift + step * scale).clamp(low, high)
                })
                .collect();
            let moved: Vec<f64> = shifts.iter().zip(&at.shifts).map(|(new, old)| new - old).collect();
            if !length(&moved).is_finite() || length(&moved) < 1e-9 {
                break;
            }
            let numbers = set.iter().map(|index| &probes[*index].number);
            let values: Vec<_> = numbers.zip(&shifts).map(|(number, shift)| (number, number.at(*shift))).collect();
            found.plays += 1;
            let Some(now) = self.try_values(&values)? else {
                reach = length(&moved) * 0.4;
                continue;
            };
            // What the step has done differs from what the slopes told: they are corrected along it.
            let square = length(&moved) * length(&moved);
            for row in 0..start.len() {
                let told: f64 = columns.iter().zip(&moved).map(|(column, moved)| column[row] * moved).sum();
                let wrong = (now[row] - at.deviations[row] - told) / square;
                columns.iter_mut().zip(&moved).for_each(|(column, moved)| column[row] += wrong * moved);
            }
            if largest(&now) > 2.0 * at.off() {
                reach = length(&moved) * 0.4;
                continue;
            }
            reach = (reach * 1.5).min(LARGEST_SHIFT);
            at = WishTrial { shifts, deviations: now };
            if at.off() < found.best.off() {
                found.best = at.clone();
            }
            if at.off() <= NEARER {
                break;
            }
        }
        Ok(found)
    }

    /// An answer with as few digits as are near enough. `None` if none are.
    fn rounded(&self, probes: &[WishProbe], found: &WishFound) -> Searched<Option<WishAnswer>> {
        for digits in DIGITS {
            if let Some(answer) = self.answer(probes, found, |value| number_text(value, digits))?
                && answer.off <= NEAR
            {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Plays the whole path with values that were found. `None` if a point is missing then, or if they change nothing.
    fn answer(
        &self,
        probes: &[WishProbe],
        found: &WishFound,
        round: impl Fn(f64) -> f64,
    ) -> Searched<Option<WishAnswer>> {
        let numbers = found.probes.iter().map(|index| &probes[*index].number).zip(&found.best.shifts);
        let mut changes: Vec<WishedChange> = numbers
            .map(|(number, shift)| WishedChange { value: round(number.at(*shift)), number: number.clone() })
            .collect();
        changes.retain(|change| change.value != change.number.value);
        if changes.is_empty() {
            return Ok(None);
        }
        let changed: Vec<TuningChange> =
            changes.iter().filter_map(|change| change.number.changed(change.value)).collect();
        let Ok(revision) = self.revision.retuned(self.revision.number, &changed) else { return Ok(None) };
        let path = self.played(&Arc::new(revision), &[])?;
        let off = self.deviations(&path).map(|deviations| largest(&deviations));
        let size = length(&changes.iter().map(|change| change.number.shift_of(change.value)).collect::<Vec<_>>());
        Ok(off.map(|off| WishAnswer { changes, path, off, size }))
    }
}

fn clamped(number: &EditableNumber, shift: f64) -> f64 {
    let (low, high) = number.bounds();
    number.at(shift.clamp(low, high))
}

fn has_moved(now: &[f64], start: &[f64]) -> bool {
    now.iter().zip(start).any(|(now, start)| (now - start).abs() > MOVED)
}

/// The sets of this many numbers that are changed together: of the strongest ones that do not grant the wishes alone.
fn sets_of(probes: &[WishProbe], found: &[WishFound], size: usize) -> Vec<Vec<usize>> {
    let met = |index: usize| found[index].best.off() <= NEAR;
    let strength = |index: &usize| length(&probes[*index].slopes);
    let mut strongest: Vec<usize> = (0..probes.len()).filter(|i| !met(*i) && strength(i) > 0.0).collect();
    strongest.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    strongest.truncate(STRONGEST);
    let mut sets = Vec::new();
    choose(&strongest, size, &mut Vec::new(), &mut sets);
    sets
}

/// All sets of a size, in the order of the items.
fn choose(items: &[usize], size: usize, taken: &mut Vec<usize>, sets: &mut Vec<Vec<usize>>) {
    if taken.len() == size {
        sets.push(taken.clone());
        return;
    }
    for (place, item) in items.iter().enumerate() {
        taken.push(*item);
        choose(&items[place + 1..], size, taken, sets);
        taken.pop();
    }
}

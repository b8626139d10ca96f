//! Of arrays.

use super::Phrase;

pub(super) const ARRAYS: &[Phrase] = &[
    ("all", "", "[80, 95, 90].all(|speed| speed > 70) // true"),
    (
        "append",
        "",
        "let path = [1, 2]; path.append([3, 4]); path // [1, 2, 3, 4]",
    ),
    (
        "chop",
        "",
        "let trail = [10, 20, 30]; trail.chop(2); trail // [20, 30]",
    ),
    (
        "clear",
        "",
        "let seen = [\"guard\"]; seen.clear(); seen // []",
    ),
    (
        "contains",
        "",
        "[\"key\", \"coin\"].contains(\"key\") // true",
    ),
    (
        "dedup",
        "Removes elements that follow an equal one; `comparer` is given two and answers whether they are equal.",
        "let steps = [\"left\", \"left\", \"right\"]; steps.dedup(); steps // [\"left\", \"right\"]",
    ),
    (
        "drain",
        "Takes out the elements for which the function answers true, or those of a range, and answers them as a \
         new array.",
        "let waves = [3, 8, 5]; waves.drain(|size| size > 4) // [8, 5]",
    ),
    (
        "extract",
        "A copy of the elements of a range, or of those from `start` on, `len` of them or all, as a new array.",
        "[5, 6, 7, 8].extract(1, 2) // [6, 7]",
    ),
    (
        "filter",
        "",
        "[40, 120, 90].filter(|far| far < 100) // [40, 90]",
    ),
    ("find", "", "[40, 120, 90].find(|far| far > 50) // 120"),
    (
        "find_map",
        "",
        "[#{ hp: 0 }, #{ hp: 3 }].find_map(|foe| if foe.hp > 0 { foe.hp }) // 3",
    ),
    (
        "for_each",
        "Calls a function for each element, which is `this` in it and can be changed; what it is given is the \
         index, not the element. `for x in array` is simpler where nothing is changed.",
        "let speeds = [100, 200]; speeds.for_each(|i| this += i * 10); speeds // [100, 210]",
    ),
    (
        "get",
        "A copy of the element at an index, which counts from the end if it is negative; `()` if there is none.",
        "[\"oak\", \"pine\"].get(-1) // \"pine\"",
    ),
    (
        "index_of",
        "Where the first element is that equals `value`, or for which the function answers true, from `start` on; \
         -1 if there is none.",
        "[\"red\", \"blue\"].index_of(\"blue\") // 1",
    ),
    (
        "insert",
        "",
        "let queue = [\"dash\"]; queue.insert(0, \"jump\"); queue // [\"jump\", \"dash\"]",
    ),
    ("is_empty", "", "[].is_empty() // true"),
    ("len", "", "[\"key\", \"coin\"].len() // 2"),
    ("map", "", "[1, 2, 3].map(|row| row * 32) // [32, 64, 96]"),
    (
        "order",
        "A copy of the array, sorted as `sort` does it.",
        "[30, 10, 20].order() // [10, 20, 30]",
    ),
    (
        "order_by",
        "A copy of the array, sorted by a function as `sort` takes it.",
        "[30, 10, 20].order_by(|a, b| b - a) // [30, 20, 10]",
    ),
    (
        "order_desc",
        "",
        "[30, 10, 20].order_desc() // [30, 20, 10]",
    ),
    (
        "pad",
        "",
        "let slots = [\"key\"]; slots.pad(3, ()); slots.len() // 3",
    ),
    (
        "pop",
        "Removes the last element and answers it; `()` if there is none.",
        "let moves = [\"jump\", \"dash\"]; moves.pop() // \"dash\"",
    ),
    (
        "push",
        "Adds one item to the end of the array; `append` adds all those of another array.",
        "let found = []; found.push(\"coin\"); found // [\"coin\"]",
    ),
    (
        "reduce",
        "Makes one value of all elements: the function is given what it answered last, at first `initial`, and an \
         element. Without `initial` it is first given `()`.",
        "[10, 20, 5].reduce(|sum, points| sum + points, 0) // 35",
    ),
    (
        "reduce_rev",
        "The same as `reduce`, beginning with the last element.",
        "[\"a\", \"b\", \"c\"].reduce_rev(|word, part| word + part, \"\") // \"cba\"",
    ),
    (
        "remove",
        "",
        "let keys = [\"red\", \"blue\"]; keys.remove(0) // \"red\"",
    ),
    (
        "retain",
        "Keeps only the elements for which the function answers true, or those of a range, and answers the others \
         as a new array.",
        "let near = [40, 120, 90]; near.retain(|far| far < 100); near // [40, 90]",
    ),
    (
        "reverse",
        "",
        "let way = [1, 2, 3]; way.reverse(); way // [3, 2, 1]",
    ),
    ("set", "", "let row = [0, 0]; row.set(1, 7); row // [0, 7]"),
    (
        "shift",
        "Removes the first element and answers it; `()` if there is none.",
        "let orders = [\"left\", \"jump\"]; orders.shift() // \"left\"",
    ),
    ("some", "", "[0, 0, 2].some(|hp| hp > 0) // true"),
    (
        "sort",
        "Sorts the array. The function is given two elements and answers a negative number, or true, if the first \
         comes first; without one they are numbers or texts, smaller ones first.",
        "let times = [12.5, 9.75]; times.sort(); times // [9.75, 12.5]",
    ),
    (
        "sort_by",
        "Sorts the array by a function as `sort` takes it.",
        "let best = [10, 40, 20]; best.sort_by(|a, b| b - a); best // [40, 20, 10]",
    ),
    (
        "sort_desc",
        "",
        "let best = [10, 40, 20]; best.sort_desc(); best // [40, 20, 10]",
    ),
    (
        "splice",
        "Puts the elements of another array in the place of those of a range, or of `len` from `start` on.",
        "let route = [1, 2, 3, 4]; route.splice(1, 2, [9]); route // [1, 9, 4]",
    ),
    (
        "split",
        "",
        "let team = [\"ann\", \"bob\", \"cem\"]; team.split(1) // [\"bob\", \"cem\"]",
    ),
    (
        "truncate",
        "",
        "let log = [1, 2, 3]; log.truncate(2); log // [1, 2]",
    ),
    (
        "zip",
        "",
        "[1, 2].zip([10, 20], |count, worth| count * worth) // [10, 40]",
    ),
];

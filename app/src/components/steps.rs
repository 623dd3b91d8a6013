//! Amounts over time as the paths of an SVG: each holds until the next one. Integer arithmetic only.

use std::fmt::Write;

use rules_engine::Normalized;

/// Size in the units of the SVG, which is stretched to its place without changing the width of its lines.
pub const WIDTH: i128 = 6_000;
pub const HEIGHT: i128 = 2_000;
/// Space for the dots at the edges.
const MARGIN: i128 = 80;
/// Length of the last step, which no later amount ends.
const TAIL: i128 = 280;

/// An amount of one base unit.
const WHOLE: i128 = 10_i128.pow(13);

/// A point of the SVG, or a moment and an amount in units of 10^-13.
pub type Point = (i128, i128);

/// The drawing of amounts. All texts are empty without points.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StepPlot {
    pub line: String,
    pub area: String,
    pub dots: String,
    /// Lines at round amounts, as elements of the SVG.
    pub marks: String,
}

/// Draws these moments and amounts, the oldest first.
pub fn steps(raw: &[Point]) -> StepPlot {
    let amounts = || raw.iter().map(|(_, amount)| *amount);
    let (Some(low), Some(high)) = (amounts().min(), amounts().max()) else { return StepPlot::default() };
    let mut steps = paths(&place(raw, low, high));
    // Whole amounts get whole marks: nobody bids half a ticket.
    let least_step = if amounts().all(|amount| amount % WHOLE == 0) { WHOLE } else { 1 };
    for (y, amount) in marks(low, high, least_step) {
        let y = format!("{}.{}%", y * 100 / HEIGHT, y * 1000 / HEIGHT % 10);
        // Writing to a String does not fail. Amounts consist of digits, a sign and a point.
        let _ = write!(
            steps.marks,
            r#"<line x1="0" x2="100%" y1="{y}" y2="{y}"/><text y="{y}" dy="-4">{amount}</text>"#
        );
    }
    steps
}

/// Round amounts between the lowest and the highest one, at most five, each with its height in the SVG.
fn marks(low: i128, high: i128, least_step: i128) -> Vec<(i128, String)> {
    let Some(step) = STEPS.into_iter().map(|step| round_up(high - low, step)).min() else {
        return Vec::new();
    };
    let step = step.max(least_step);
    let first = low.div_euclid(step) + 1;
    let values = (0..5).map(|at| (first + at) * step).take_while(|value| *value < high);
    let mark = |value| Some((height(value, low, high), Normalized::from_mantissa(value)?.to_string()));
    values.filter_map(mark).collect()
}

/// First digits of the distance between marks.
const STEPS: [i128; 3] = [1, 2, 5];

/// The least `first` times a power of ten of which at most four fit into the range.
fn round_up(range: i128, first: i128) -> i128 {
    let mut step = first;
    while step * 4 < range {
        step *= 10;
    }
    step
}

/// The places of moments and amounts.
fn place(raw: &[Point], low: i128, high: i128) -> Vec<Point> {
    let (Some(&(begin, _)), Some(&(end, _))) = (raw.first(), raw.last()) else { return Vec::new() };
    let spot = |&(when, amount): &Point| {
        let x = MARGIN + stretch(when, begin, end, WIDTH - 2 * MARGIN - TAIL);
        (x, height(amount, low, high))
    };
    raw.iter().map(spot).collect()
}

fn height(amount: i128, low: i128, high: i128) -> i128 {
    HEIGHT - MARGIN - stretch(amount, low, high, HEIGHT - 2 * MARGIN)
}

/// Scales `value` from the range `from..=to` to `0..=length`. The middle if the range is a single value.
fn stretch(value: i128, from: i128, to: i128, length: i128) -> i128 {
    if to > from { (value - from) * length / (to - from) } else { length / 2 }
}

/// The line with its area and dots.
fn paths(points: &[Point]) -> StepPlot {
    let mut steps = StepPlot::default();
    let Some(&(begin, _)) = points.first() else {
        return steps;
    };
    for (at, (x, y)) in points.iter().enumerate() {
        let (before, between) = if at == 0 { ("M", " ") } else { ("H", "V") };
        push(&mut steps.line, before, *x);
        push(&mut steps.line, between, *y);
        // A line of length 0 with round ends stays a circle when the SVG is stretched.
        push(&mut steps.dots, "M", *x);
        push(&mut steps.dots, " ", *y);
        steps.dots.push_str("h0");
    }
    push(&mut steps.line, "H", WIDTH);
    steps.area = format!("{}V{HEIGHT}H{begin}Z", steps.line);
    steps
}

/// Writes a coordinate, which is a natural number of few digits. To format it takes several times as long.
fn push(path: &mut String, command: &str, coordinate: i128) {
    fn digits(path: &mut String, number: u32) {
        if number >= 10 {
            digits(path, number / 10);
        }
        path.push(char::from_digit(number % 10, 10).unwrap_or('0'));
    }
    path.push_str(command);
    digits(path, u32::try_from(coordinate).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(amount: &str) -> i128 {
        amount.parse::<Normalized>().map(Normalized::mantissa).unwrap_or_default()
    }

    #[test]
    fn time_goes_right_and_more_is_higher() {
        let points = place(&[(0, 100), (1_000, 200), (2_000, 300)], 100, 300);
        assert_eq!(points.first(), Some(&(MARGIN, HEIGHT - MARGIN)));
        assert_eq!(points.get(1), Some(&(MARGIN + (WIDTH - 2 * MARGIN - TAIL) / 2, HEIGHT / 2)));
        assert_eq!(points.last(), Some(&(WIDTH - MARGIN - TAIL, MARGIN)));
    }

    #[test]
    fn marks_are_round_amounts_between_the_least_and_the_most() {
        let amounts = |high: &str, low: &str| -> Vec<String> {
            marks(units(low), units(high), 1).into_iter().map(|(_, amount)| amount).collect()
        };
        assert_eq!(amounts("1009", "10"), ["500", "1000"]);
        assert_eq!(amounts("10009", "9911"), ["9950", "10000"]);
        assert_eq!(amounts("30", "-30"), ["-20", "0", "20"]);
        assert_eq!(amounts("0.0000000000003", "0.0000000000001"), ["0.0000000000002"]);
        assert_eq!(amounts("1000000000000000", "1"), ["500000000000000"]);
        assert_eq!(amounts("5", "5"), Vec::<String>::new());
        let heights: Vec<i128> = marks(units("10"), units("30"), 1).into_iter().map(|(y, _)| y).collect();
        assert!(heights.is_sorted_by(|a, b| a > b) && heights.iter().all(|y| (MARGIN..HEIGHT).contains(y)));
    }

    #[test]
    fn whole_amounts_have_whole_marks() {
        let marks_of = |amounts: [&str; 2]| steps(&[(0, units(amounts[0])), (1, units(amounts[1]))]).marks;
        assert!(marks_of(["5", "6.5"]).contains(">5.5<"));
        assert!(!marks_of(["5", "6"]).contains(">5."), "no half tickets");
        assert!(marks_of(["5", "8"]).contains(">6<"));
    }

    #[test]
    fn amounts_of_one_moment_have_finite_places() {
        let points = place(&[(5, 1), (5, 2)], 1, 2);
        assert!(points.iter().all(|(x, _)| (0..WIDTH).contains(x)));
        assert_eq!(steps(&[]), StepPlot::default());
    }

    #[test]
    fn an_amount_holds_until_the_next_one() {
        let steps = paths(&[(80, 1920), (1000, 80)]);
        assert_eq!(steps.line, "M80 1920H1000V80H6000");
        assert_eq!(steps.area, "M80 1920H1000V80H6000V2000H80Z");
        assert_eq!(steps.dots, "M80 1920h0M1000 80h0");
    }
}

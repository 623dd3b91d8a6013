//! The price over time as a step chart.

use std::fmt::Write;

use leptos::prelude::*;
use rules_engine::Normalized;

use crate::components::figures::Figures;
use crate::components::moment::date_and_time;
use crate::components::money::amount_in;
use crate::live::board::LiveBoard;
use crate::model::{BidBoard, BidRow};

/// Size in the units of the SVG, which is stretched to its place without changing the width of its lines.
const WIDTH: i128 = 6_000;
const HEIGHT: i128 = 2_000;
/// Space for the dots at the edges.
const MARGIN: i128 = 80;
/// Length of the last step, which no later bid ends.
const TAIL: i128 = 280;

/// A point of the SVG, or a moment and an amount.
type Point = (i128, i128);

/// The prices of all bids. It is hidden before the second bid. Only texts and attributes change, in elements
/// that stay: the bundle stays small.
#[component]
pub fn PriceChart(live: LiveBoard) -> impl IntoView {
    let drawing = Memo::new(move |_| live.board.with(draw));
    let part = move |part: fn(&Drawing) -> &String| {
        Signal::derive(move || drawing.with(|drawing| part(drawing).clone()))
    };
    let hidden = Signal::derive(move || drawing.with(|drawing| drawing.line.is_empty()));
    view! {
        <figure class="chart" hidden=hidden>
            <svg role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">"Price over time"</title>
                <desc id="chart-description">{part(|drawing| &drawing.description)}</desc>
                <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none">
                    <path class="chart-area" d=part(|drawing| &drawing.area) />
                    <path class="chart-line" d=part(|drawing| &drawing.line) />
                    <path class="chart-dots" d=part(|drawing| &drawing.dots) />
                </svg>
                <g class="chart-marks" inner_html=part(|drawing| &drawing.marks)></g>
            </svg>
            <figcaption>
                <span class="chart-from">
                    <Figures text=part(|drawing| &drawing.from) />
                    <span class="chart-when">{part(|drawing| &drawing.begin)}</span>
                </span>
                <span class="chart-to">
                    <Figures text=part(|drawing| &drawing.to) />
                    <span class="chart-when">{part(|drawing| &drawing.end)}</span>
                </span>
            </figcaption>
        </figure>
    }
}

/// The texts of the chart. All are empty before the second bid.
#[derive(Debug, Default, Clone, PartialEq)]
struct Drawing {
    description: String,
    line: String,
    area: String,
    dots: String,
    /// Elements of the SVG.
    marks: String,
    /// The first price and the last one.
    from: String,
    to: String,
    /// Their moments. Bids of one minute need no time twice.
    begin: String,
    end: String,
}

/// The bids that were prices, newest first: the listed ones, and some of those before them. A withdrawn bid
/// was none.
fn prices(board: &BidBoard) -> Vec<&BidRow> {
    let mut prices: Vec<&BidRow> = board.bids.iter().filter(|bid| bid.withdrawn.is_none()).collect();
    let oldest = prices.last().map_or(0, |bid| bid.sequence);
    prices.extend(board.earlier.iter().filter(|bid| bid.sequence < oldest));
    prices
}

fn draw(board: &BidBoard) -> Drawing {
    let prices = prices(board);
    let ([last, _, ..], Some(first)) = (prices.as_slice(), prices.last()) else { return Drawing::default() };
    let amount = |bid: &BidRow| amount_in(&bid.normalized_amount, &board.base_unit);
    let (from, to) = (amount(first), amount(last));
    let (begin, end) = (date_and_time(first.placed_at), date_and_time(last.placed_at));
    let mut drawing = Drawing {
        description: format!("From {from} to {to} in {} bids.", board.bid_count),
        begin: if begin == end { String::new() } else { begin },
        from,
        to,
        end,
        ..steps(&place(&prices))
    };
    for (y, amount) in marks(&prices) {
        let y = format!("{}.{}%", y * 100 / HEIGHT, y * 1000 / HEIGHT % 10);
        // Writing to a String does not fail. Amounts consist of digits and a point.
        let _ = write!(
            drawing.marks,
            r#"<line x1="0" x2="100%" y1="{y}" y2="{y}"/><text y="{y}" dy="-4">{amount}</text>"#
        );
    }
    drawing
}

/// Round amounts between the lowest and the highest price, at most five, each with its height in the SVG.
fn marks(prices: &[&BidRow]) -> Vec<(i128, String)> {
    let amount = |bid: Option<&&BidRow>| Some(bid?.normalized_amount.parse::<Normalized>().ok()?.mantissa());
    let (Some(high), Some(low)) = (amount(prices.first()), amount(prices.last())) else { return Vec::new() };
    let Some(step) = STEPS.into_iter().map(|step| round_up(high - low, step)).min() else {
        return Vec::new();
    };
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

/// The bids as points, oldest first. Integer arithmetic only.
fn place(prices: &[&BidRow]) -> Vec<Point> {
    let raw = prices.iter().rev().filter_map(|bid| {
        let amount: Normalized = bid.normalized_amount.parse().ok()?;
        Some((i128::from(bid.placed_at), amount.mantissa()))
    });
    let raw: Vec<Point> = raw.collect();
    let (Some(&(begin, low)), Some(&(end, high))) = (raw.first(), raw.last()) else {
        return raw;
    };
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
fn steps(points: &[Point]) -> Drawing {
    let mut steps = Drawing::default();
    let Some(&(begin, _)) = points.first() else {
        return steps;
    };
    for (at, (x, y)) in points.iter().enumerate() {
        // Writing to a String does not fail.
        let _ = if at == 0 { write!(steps.line, "M{x} {y}") } else { write!(steps.line, "H{x}V{y}") };
        // A line of length 0 with round ends stays a circle when the SVG is stretched.
        let _ = write!(steps.dots, "M{x} {y}h0");
    }
    let _ = write!(steps.line, "H{WIDTH}");
    steps.area = format!("{}V{HEIGHT}H{begin}Z", steps.line);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(placed_at: i64, normalized_amount: &str) -> BidRow {
        BidRow {
            sequence: 0,
            bidder: None,
            mine: false,
            normalized_amount: normalized_amount.to_owned(),
            entered: String::new(),
            placed_at,
            withdrawn: None,
            by_clerk: None,
        }
    }

    #[test]
    fn time_goes_right_and_price_goes_up() {
        let points = place(&[&row(2_000, "300"), &row(1_000, "200"), &row(0, "100")]);
        assert_eq!(points.first(), Some(&(MARGIN, HEIGHT - MARGIN)));
        assert_eq!(points.get(1), Some(&(MARGIN + (WIDTH - 2 * MARGIN - TAIL) / 2, HEIGHT / 2)));
        assert_eq!(points.last(), Some(&(WIDTH - MARGIN - TAIL, MARGIN)));
    }

    #[test]
    fn marks_are_round_amounts_between_the_prices() {
        let amounts = |high: &str, low: &str| -> Vec<String> {
            marks(&[&row(1, high), &row(0, low)]).into_iter().map(|(_, amount)| amount).collect()
        };
        assert_eq!(amounts("1009", "10"), ["500", "1000"]);
        assert_eq!(amounts("10009", "9911"), ["9950", "10000"]);
        assert_eq!(amounts("0.0000000000003", "0.0000000000001"), ["0.0000000000002"]);
        assert_eq!(amounts("1000000000000000", "1"), ["500000000000000"]);
        assert_eq!(amounts("5", "5"), Vec::<String>::new());
        assert_eq!(marks(&[]), []);
        let heights: Vec<i128> = marks(&[&row(1, "30"), &row(0, "10")]).into_iter().map(|(y, _)| y).collect();
        assert!(heights.is_sorted_by(|a, b| a > b) && heights.iter().all(|y| (MARGIN..HEIGHT).contains(y)));
    }

    #[test]
    fn bids_of_one_moment_have_finite_places() {
        let points = place(&[&row(5, "2"), &row(5, "1")]);
        assert!(points.iter().all(|(x, _)| (0..WIDTH).contains(x)));
    }

    #[test]
    fn a_price_holds_until_the_next_bid() {
        let steps = steps(&[(80, 1920), (1000, 80)]);
        assert_eq!(steps.line, "M80 1920H1000V80H6000");
        assert_eq!(steps.area, "M80 1920H1000V80H6000V2000H80Z");
        assert_eq!(steps.dots, "M80 1920h0M1000 80h0");
    }
}

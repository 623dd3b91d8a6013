//! The price over time, as steps: it stands until the next bid.

use std::fmt::Write;

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::figures::Figures;
use crate::components::moment::date_and_time;
use crate::components::money::{named, unit_word};
use crate::live::board::LiveBoard;
use crate::model::{BidBoard, BidRow};

/// The drawing's own units. It is stretched to its place, with lines that keep their width.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 200.0;
/// Room for the dots at the edges, and for the last price to stand a while.
const MARGIN: f64 = 8.0;
const TAIL: f64 = 28.0;

/// A bid as a point: when, and how much. Only for drawing: exact amounts stay text.
type Point = (f64, f64);

/// Draws nothing before the second bid, but keeps its place.
#[component]
pub fn PriceChart(live: LiveBoard) -> impl IntoView {
    let board = live.board;
    let unit = board.with_untracked(|board| unit_word(&board.base_unit));
    let bids = Memo::new(move |_| board.with(|board: &BidBoard| board.bids.clone()));
    view! {
        <figure class="chart">
            {move || {
                let bids = bids.get();
                let (Some(last), Some(first)) = (bids.first(), bids.last()) else {
                    return Either::Left(view! { <p class="chart-none">"The price is drawn here from the second bid on."</p> });
                };
                if bids.len() < 2 {
                    return Either::Left(view! { <p class="chart-none">"The price is drawn here from the second bid on."</p> });
                }
                Either::Right(draw(&bids, first, last, &unit))
            }}
        </figure>
    }
}

fn draw(bids: &[BidRow], first: &BidRow, last: &BidRow, unit: &str) -> impl IntoView + use<> {
    let steps = steps(&place(bids));
    let (from, to) = (first.normalized_amount.clone(), last.normalized_amount.clone());
    let description = format!("From {} to {} in {} bids.", named(&from, unit), named(&to, unit), bids.len());
    view! {
        <svg
            viewBox=format!("0 0 {WIDTH} {HEIGHT}")
            preserveAspectRatio="none"
            role="img"
            aria-labelledby="chart-title chart-description"
        >
            <title id="chart-title">"Price over time"</title>
            <desc id="chart-description">{description}</desc>
            <path class="chart-area" d=steps.area />
            <path class="chart-line" d=steps.line />
            <path class="chart-dots" d=steps.dots />
        </svg>
        <figcaption>
            <span class="chart-from">
                <Figures text=named(&from, unit) />
                <span class="chart-when">{date_and_time(first.placed_at)}</span>
            </span>
            <span class="chart-to">
                <Figures text=named(&to, unit) />
                <span class="chart-when">{date_and_time(last.placed_at)}</span>
            </span>
        </figcaption>
    }
}

/// The points in the drawing, oldest first, from the rows, newest first.
fn place(bids: &[BidRow]) -> Vec<Point> {
    let raw: Vec<Point> = bids
        .iter()
        .rev()
        .map(|bid| (moment(bid.placed_at), bid.normalized_amount.parse().unwrap_or(0.0)))
        .collect();
    let (Some(&(begin, low)), Some(&(end, high))) = (raw.first(), raw.last()) else {
        return raw;
    };
    let share = |value: f64, from: f64, to: f64| if to > from { (value - from) / (to - from) } else { 0.5 };
    let spot = |&(when, amount): &Point| {
        let x = MARGIN + share(when, begin, end) * (WIDTH - 2.0 * MARGIN - TAIL);
        let y = HEIGHT - MARGIN - share(amount, low, high) * (HEIGHT - 2.0 * MARGIN);
        (x, y)
    };
    raw.iter().map(spot).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a pixel is wider than a millisecond")]
fn moment(milliseconds: i64) -> f64 {
    milliseconds as f64
}

#[derive(Debug, Default, PartialEq)]
struct Steps {
    line: String,
    area: String,
    dots: String,
}

fn steps(points: &[Point]) -> Steps {
    let mut steps = Steps::default();
    let Some(&(begin, _)) = points.first() else {
        return steps;
    };
    for (at, (x, y)) in points.iter().enumerate() {
        // Writing to a String does not fail.
        let _ =
            if at == 0 { write!(steps.line, "M{x:.1} {y:.1}") } else { write!(steps.line, "H{x:.1}V{y:.1}") };
        // A line without length and with round ends is a dot, however the drawing is stretched.
        let _ = write!(steps.dots, "M{x:.1} {y:.1}h0");
    }
    let _ = write!(steps.line, "H{WIDTH}");
    steps.area = format!("{}V{HEIGHT}H{begin:.1}Z", steps.line);
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
        }
    }

    #[test]
    fn time_goes_right_and_price_goes_up() {
        let points = place(&[row(2_000, "300"), row(1_000, "200"), row(0, "100")]);
        assert_eq!(points.first(), Some(&(MARGIN, HEIGHT - MARGIN)));
        assert_eq!(points.get(1), Some(&(MARGIN + (WIDTH - 2.0 * MARGIN - TAIL) / 2.0, HEIGHT / 2.0)));
        assert_eq!(points.last(), Some(&(WIDTH - MARGIN - TAIL, MARGIN)));
    }

    #[test]
    fn bids_of_one_moment_are_drawn() {
        let points = place(&[row(5, "2"), row(5, "1")]);
        assert!(points.iter().all(|(x, y)| x.is_finite() && y.is_finite()));
    }

    #[test]
    fn a_price_stands_until_the_next() {
        let steps = steps(&[(8.0, 192.0), (100.0, 8.0)]);
        assert_eq!(steps.line, "M8.0 192.0H100.0V8.0H600");
        assert_eq!(steps.area, "M8.0 192.0H100.0V8.0H600V200H8.0Z");
        assert_eq!(steps.dots, "M8.0 192.0h0M100.0 8.0h0");
    }
}

//! The price over time as a step chart.

use leptos::prelude::*;
use rules_engine::Normalized;

use crate::components::figures::Figures;
use crate::components::moment::date_and_time;
use crate::components::money::amount_in;
use crate::components::steps::{HEIGHT, Point, StepPlot, WIDTH, steps};
use crate::live::board::LiveBoard;
use crate::model::{BidBoard, BidRow};

/// The prices of all bids. It is hidden before the second bid. Only texts and attributes change, in elements
/// that stay: the bundle stays small.
#[component]
pub fn PriceChart(live: LiveBoard) -> impl IntoView {
    let drawing = Memo::new(move |_| live.board.with(draw));
    let part = move |part: fn(&Drawing) -> &String| {
        Signal::derive(move || drawing.with(|drawing| part(drawing).clone()))
    };
    let hidden = Signal::derive(move || drawing.with(|drawing| drawing.steps.line.is_empty()));
    view! {
        <figure class="chart" hidden=hidden>
            <svg role="img" aria-labelledby="chart-title chart-description">
                <title id="chart-title">"Price over time"</title>
                <desc id="chart-description">{part(|drawing| &drawing.description)}</desc>
                <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none">
                    <path class="chart-area" d=part(|drawing| &drawing.steps.area) />
                    <path class="chart-line" d=part(|drawing| &drawing.steps.line) />
                    <path class="chart-dots" d=part(|drawing| &drawing.steps.dots) />
                </svg>
                <g class="chart-marks" inner_html=part(|drawing| &drawing.steps.marks)></g>
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
    steps: StepPlot,
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
    Drawing {
        description: format!("From {from} to {to} in {} bids.", board.bid_count),
        begin: if begin == end { String::new() } else { begin },
        from,
        to,
        end,
        steps: steps(&places(&prices)),
    }
}

/// The bids as moments and amounts, oldest first.
fn places(prices: &[&BidRow]) -> Vec<Point> {
    let place = |bid: &&BidRow| {
        let amount: Normalized = bid.normalized_amount.parse().ok()?;
        Some((i128::from(bid.placed_at), amount.mantissa()))
    };
    prices.iter().rev().filter_map(place).collect()
}

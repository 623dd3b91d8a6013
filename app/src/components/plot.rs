//! Amounts over time.

use leptos::prelude::*;
use rules_engine::Normalized;

use crate::components::figures::StaticFigures;
use crate::components::moment::date_and_time;
use crate::components::money::amount_in;
use crate::components::steps::{HEIGHT, Point, WIDTH, steps};
use crate::model::{BaseUnit, PlotPoint};

/// The amounts, the oldest first. Nothing if they never differ.
#[component]
pub fn Plot(title: &'static str, points: Vec<PlotPoint>, unit: BaseUnit) -> impl IntoView {
    let (first, last) = (points.first()?, points.last()?);
    if points.iter().all(|point| point.amount == first.amount) {
        return None;
    }
    let place = |point: &PlotPoint| {
        let amount: Normalized = point.amount.parse().ok()?;
        Some((i128::from(point.at), amount.mantissa()))
    };
    let places: Vec<Point> = points.iter().filter_map(place).collect();
    let drawing = steps(&places);
    let (from, to) = (amount_in(&first.amount, &unit), amount_in(&last.amount, &unit));
    let (begin, end) = (date_and_time(first.at), date_and_time(last.at));
    let label = format!("{title}, from {from} on {begin} to {to} on {end}");
    Some(view! {
        <figure class="chart plot">
            <svg role="img" aria-label=label>
                <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none">
                    <path class="chart-area" d=drawing.area />
                    <path class="chart-line" d=drawing.line />
                </svg>
                <g class="chart-marks" inner_html=drawing.marks></g>
            </svg>
            <figcaption>
                <span class="chart-from">
                    <StaticFigures text=from />
                    <span class="chart-when">{begin}</span>
                </span>
                <span class="chart-name">{title}</span>
                <span class="chart-to">
                    <StaticFigures text=to />
                    <span class="chart-when">{end}</span>
                </span>
            </figcaption>
        </figure>
    })
}

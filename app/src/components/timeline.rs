//! The ends of lots on a line of time.

use std::collections::BTreeSet;

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::words::count;

/// Width of the drawing, which is stretched to that of the page.
const WIDTH: i64 = 1000;

/// A mark for each end, and the first and the last in words. Nothing unless they differ.
#[component]
pub fn Timeline(ends: Vec<i64>) -> impl IntoView {
    let (first, last) = (ends.iter().min().copied(), ends.iter().max().copied());
    let (first, last) = first.zip(last).filter(|(first, last)| first < last)?;
    let number = u64::try_from(ends.len()).unwrap_or(u64::MAX);
    Some(view! {
        <div class="timeline">
            <svg viewBox=format!("-4 0 {} 16", WIDTH + 8) preserveAspectRatio="none" aria-hidden="true">
                <path d=marks(&ends, first, last) />
            </svg>
            <p>
                <span>
                    {count(number, "lot ends", "lots end")} " from " <time datetime=stamp(first)>{date_and_time(first)}</time>
                </span>
                <span>"to " <time datetime=stamp(last)>{date_and_time(last)}</time></span>
            </p>
        </div>
    })
}

/// The line, and a mark at each end. Ends at one place have one mark.
fn marks(ends: &[i64], first: i64, last: i64) -> String {
    let place = |end: &i64| (end - first).saturating_mul(WIDTH) / (last - first).max(1);
    let places: BTreeSet<i64> = ends.iter().map(place).collect();
    let mut path = format!("M0 8h{WIDTH}");
    for place in places {
        path.push_str(&format!("M{place} 2v12"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::marks;

    #[test]
    fn an_end_stands_where_its_time_is() {
        assert_eq!(marks(&[100, 200, 150, 100], 100, 200), "M0 8h1000M0 2v12M500 2v12M1000 2v12");
    }
}

//! Pieces of a currency, drawn to scale.

use leptos::either::Either;
use leptos::prelude::*;

/// Radius of the most valuable piece. Volumes are as the values, as with coins of one metal.
const RADIUS: f64 = 13.0;
/// A smaller one would not be seen.
const RADIUS_MIN: f64 = 1.5;
/// Pieces that are drawn, at most.
const PIECES_MAX: usize = 12;

/// A coin for each of these values, which are decimals; for a single one a ticket. The names beside the
/// drawing say what it shows.
#[component]
pub fn Coins(values: Vec<String>) -> impl IntoView {
    let values: Vec<f64> = values.iter().take(PIECES_MAX).filter_map(|value| value.parse().ok()).collect();
    if let [_] = values.as_slice() {
        return Some(Either::Left(view! {
            <svg class="coins" viewBox="0 0 44 26" width="44" height="26" aria-hidden="true">
                <path d="M1 1h42v8a4 4 0 0 0 0 8v8H1v-8a4 4 0 0 0 0-8zM14 3v20" />
            </svg>
        }));
    }
    let (circles, width) = circles(&values);
    let circles = circles.into_iter().map(|(x, radius)| {
        view! { <circle cx=format!("{x:.1}") cy=format!("{:.1}", 27.0 - radius) r=format!("{radius:.1}") /> }
    });
    let width = format!("{width:.0}");
    (!values.is_empty()).then(|| {
        Either::Right(view! {
            <svg class="coins" viewBox=format!("0 0 {width} 28") width=width height="28" aria-hidden="true">
                {circles.collect_view()}
            </svg>
        })
    })
}

/// Centre and radius of each coin, side by side, and the width of all of them.
fn circles(values: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let greatest = values.iter().copied().fold(0.0, f64::max);
    let mut end = 1.0;
    let circle = |value: &f64| {
        let radius = (RADIUS * (value / greatest).cbrt()).clamp(RADIUS_MIN, RADIUS);
        let centre = end + radius;
        end = centre + radius + 3.0;
        (centre, radius)
    };
    let circles = values.iter().map(circle).collect();
    (circles, end)
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn the_volume_of_a_coin_is_its_value() {
        let (coins, width) = circles(&[1000.0, 125.0, 1.0]);
        let radii: Vec<f64> = coins.iter().map(|(_, radius)| *radius).collect();
        assert_eq!(radii, [13.0, 6.5, 1.5], "the least is drawn larger than it is, to be seen");
        assert!((width - 52.0).abs() < 0.01, "{width}");
    }
}

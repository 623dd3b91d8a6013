//! The course of a price as a small line.

use auction_house::engine::Normalized;

/// The field in which the line is drawn, with a margin for its width.
const WIDTH: usize = 40;
const HEIGHT: i128 = 12;
const MARGIN: i128 = 1;

/// The points of the line from the first price to the last, at equal distances. Empty with fewer than three
/// prices, which show no course.
pub fn points(prices: &[Normalized]) -> String {
    let (Some(least), Some(most)) = (prices.iter().min(), prices.iter().max()) else { return String::new() };
    let range = most.mantissa() - least.mantissa();
    if prices.len() < 3 || range == 0 {
        return String::new();
    }
    let height = HEIGHT - 2 * MARGIN;
    let point = |(at, price): (usize, &Normalized)| {
        let x = at * WIDTH / (prices.len() - 1);
        let above = price.mantissa().abs_diff(least.mantissa());
        // INVARIANT: amounts have at most 96 bits, so that the product fits.
        let y = MARGIN + height - i128::try_from(above).unwrap_or(0) * height / range;
        format!("{x},{y}")
    };
    prices.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::points;
    use auction_house::engine::Normalized;

    fn drawn(prices: &[&str]) -> String {
        points(&prices.iter().map(|price| Normalized::parse(price).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn the_line_rises_from_the_lower_left_to_the_upper_right() {
        assert_eq!(drawn(&["1", "2", "3"]), "0,11 20,6 40,1");
        assert_eq!(drawn(&["10", "10.5", "11", "15"]), "0,11 13,10 26,9 40,1");
        assert_eq!(drawn(&["0.1", "0.2", "1000000000000000"]), "0,11 20,11 40,1");
    }

    #[test]
    fn two_prices_are_no_course() {
        for prices in [&[][..], &["1"], &["1", "2"], &["2", "2", "2"]] {
            assert_eq!(drawn(prices), "");
        }
    }
}

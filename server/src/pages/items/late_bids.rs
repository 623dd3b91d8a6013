//! What late bids do to the end of an item, in words.

use app::components::money::counted;
use app::model::Noun;
use auction_house::items::ItemStatus;
use auction_house::items::access::ItemView;
use platform::time::Moment;

use super::show::view::LateBids;

/// What a late bid does to the end of an open item.
pub fn late_bids(seen: &ItemView, now: Moment) -> Option<LateBids> {
    let terms = seen.item.terms.anti_snipe;
    let moves_end = terms.enabled && seen.item.ends_at.is_some() && seen.item.status(now) == ItemStatus::Open;
    moves_end.then(|| {
        let extension = seconds_in_words(terms.extension_seconds);
        let threshold = seconds_in_words(terms.threshold_seconds);
        LateBids {
            words: format!(
                "After a bid in the last {threshold}, bidding stays open for at least {extension}."
            ),
            extension: terms.extension_seconds.saturating_mul(1000),
        }
    })
}

/// `5 minutes`, `90 seconds`.
fn seconds_in_words(seconds: i64) -> String {
    if seconds % 60 == 0 {
        counted(&(seconds / 60).to_string(), Noun { one: "minute", several: Some("minutes") })
    } else {
        counted(&seconds.to_string(), Noun { one: "second", several: Some("seconds") })
    }
}

#[cfg(test)]
mod tests {
    use super::seconds_in_words;

    #[test]
    fn seconds_are_minutes_where_that_is_exact() {
        let words = [60, 300, 90, 1].map(seconds_in_words);
        assert_eq!(words, ["1\u{a0}minute", "5\u{a0}minutes", "90\u{a0}seconds", "1\u{a0}second"]);
    }
}

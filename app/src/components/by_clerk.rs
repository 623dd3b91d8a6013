//! Bids that a clerk entered, in words.

/// Who entered a bid for its bidder, as far as the viewer may know, and the codes of the rules that it was
/// entered against. Absent for any other bid.
pub fn by_clerk(clerk: Option<&str>, overridden: &[&str]) -> Option<String> {
    let mut words = String::new();
    if let Some(clerk) = clerk {
        words.push_str("entered by ");
        words.push_str(clerk);
    }
    for (at, code) in overridden.iter().enumerate() {
        words.push_str(match (at, words.is_empty()) {
            (0, true) => "against the rules: ",
            (0, false) => ", against the rules: ",
            _ => ", ",
        });
        for (at, letter) in code.bytes().enumerate() {
            match (letter, at) {
                // After MIN and MAX.
                (b'_', 3) => words.push_str("imum "),
                (b'_', _) => words.push(' '),
                _ => words.push(char::from(letter.to_ascii_lowercase())),
            }
        }
    }
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bid_of_a_clerk_is_described_as_far_as_the_viewer_may_know() {
        assert_eq!(by_clerk(None, &[]), None);
        assert_eq!(by_clerk(Some("Carl"), &[]).as_deref(), Some("entered by Carl"));
        assert_eq!(
            by_clerk(Some("Carl"), &["MIN_BID", "REQUIRED_DENOMINATION"]).as_deref(),
            Some("entered by Carl, against the rules: minimum bid, required denomination")
        );
        assert_eq!(by_clerk(None, &["STEP"]).as_deref(), Some("against the rules: step"));
    }
}

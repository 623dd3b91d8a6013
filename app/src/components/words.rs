//! Numbers in words.

/// `1 item`, `2 items`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    let word = if number == 1 { one } else { many };
    format!("{number} {word}")
}

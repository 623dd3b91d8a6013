//! HTML escaping, for the places where Leptos does not escape.

/// The text as HTML. Not for attribute values: quotes are kept.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn html_is_escaped() {
        assert_eq!(escaped("</textarea><script> & so on"), "&lt;/textarea&gt;&lt;script&gt; &amp; so on");
    }
}

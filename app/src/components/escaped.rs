/// Text where nobody else escapes it: it stays text, whatever stands in it.
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
    fn text_stays_text() {
        assert_eq!(escaped("</textarea><script> & so on"), "&lt;/textarea&gt;&lt;script&gt; &amp; so on");
    }
}

//! What clients call themselves.

/// Longest text that is kept. Browsers send about 120 characters.
const CHARS_MAX: usize = 256;

/// The name of a client as it sends it: 1–256 printable ASCII characters. Other characters are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent(String);

impl UserAgent {
    /// `None` if nothing printable was sent.
    pub fn of(sent: &[u8]) -> Option<Self> {
        let printable = sent.iter().filter(|byte| matches!(byte, b' '..=b'~')).map(|byte| char::from(*byte));
        let text: String = printable.skip_while(|letter| *letter == ' ').take(CHARS_MAX).collect();
        let text = text.trim_end();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::UserAgent;

    #[test]
    fn a_user_agent_is_printable_and_short() {
        let of = |sent: &[u8]| UserAgent::of(sent).map(|found| found.as_str().to_owned());
        assert_eq!(of(b" Mozilla/5.0 (X11)\t").as_deref(), Some("Mozilla/5.0 (X11)"));
        assert_eq!(of("a\r\nb\u{0}c\u{202e}é".as_bytes()).as_deref(), Some("abc"));
        assert_eq!(of(&b"x".repeat(5000)), Some("x".repeat(256)));
        for nothing in [&b""[..], b"  ", b"\t\xff"] {
            assert_eq!(of(nothing), None);
        }
    }
}

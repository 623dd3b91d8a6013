//! QR codes as page data.

use std::fmt::Write;

use app::model::QrCode;
use qrcode::{Color, EcLevel};

/// Light modules around the code, which cameras need to find it.
const QUIET_ZONE: usize = 4;

/// The QR code of a text. `None` if the text is too long.
pub fn qr_code(text: &str) -> Option<QrCode> {
    let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (index, _) in code.to_colors().iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
        let (x, y) = (index % width + QUIET_ZONE, index / width + QUIET_ZONE);
        // Writing to a string can't fail.
        let _ = write!(path, "M{x} {y}h1v1h-1z");
    }
    Some(QrCode { size: width + 2 * QUIET_ZONE, path })
}

#[cfg(test)]
mod tests {
    use super::qr_code;

    #[test]
    fn a_code_has_its_finder_patterns_within_a_quiet_zone() {
        let code = qr_code("https://bids.example/join/0123456789abcdef").unwrap();
        assert!(code.path.starts_with("M4 4h1v1h-1zM5 4"), "{}", code.path);
        let corner = format!("M{} 4h1v1h-1z", code.size - 5);
        assert!(code.path.contains(&corner) && !code.path.contains("M3 "), "{}", code.path);
        assert!(qr_code(&"x".repeat(10_000)).is_none());
    }
}

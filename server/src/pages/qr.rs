//! QR codes as page data.

use std::fmt::Write;

use app::model::QrCode;
use qrcode::{Color, EcLevel};

/// Light modules around the code, which cameras need to find it.
const QUIET_ZONE: usize = 4;

/// The QR code of a text. `None` if the text is too long.
pub fn qr_code(text: &str) -> Option<QrCode> {
    drawn(text, EcLevel::M)
}

/// A QR code with fewer and so larger modules, for print in a small size on clean paper.
pub fn small_qr_code(text: &str) -> Option<QrCode> {
    drawn(text, EcLevel::L)
}

fn drawn(text: &str, level: EcLevel) -> Option<QrCode> {
    let code = qrcode::QrCode::with_error_correction_level(text, level).ok()?;
    let width = code.width();
    let colors = code.to_colors();
    let mut path = String::new();
    for (y, row) in colors.chunks(width).enumerate() {
        let (mut x, mut drawn_to) = (0, None);
        for run in row.chunk_by(|module, next| module == next) {
            if run.first() == Some(&Color::Dark) {
                // Writing to a string can't fail.
                let _ = match drawn_to {
                    None => write!(path, "M{} {}.5h{}", x + QUIET_ZONE, y + QUIET_ZONE, run.len()),
                    Some(end) => write!(path, "m{} 0h{}", x - end, run.len()),
                };
                drawn_to = Some(x + run.len());
            }
            x += run.len();
        }
    }
    Some(QrCode { size: width + 2 * QUIET_ZONE, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_finder_patterns_within_a_quiet_zone() {
        let code = qr_code("https://bids.example/join/0123456789abcdef").unwrap();
        // A finder pattern has seven modules, and its second row two with a gap of five.
        assert!(code.path.starts_with("M4 4.5h7m"), "{}", code.path);
        assert!(code.path.contains("M4 5.5h1m5 0h1m"), "{}", code.path);
        assert!(!code.path.contains("M3 ") && !code.path.contains(" 3.5"), "{}", code.path);
        assert!(qr_code(&"x".repeat(10_000)).is_none());
    }

    #[test]
    fn a_picture_is_dark_where_its_code_is() {
        let text = "https://bids.example/go#ABCDEF.17.0123456789ABCDEF";
        let drawn = qr_code(text).unwrap();
        let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).unwrap();
        let mut expected = vec![vec![false; drawn.size]; drawn.size];
        for (at, color) in code.to_colors().into_iter().enumerate() {
            let (x, y) = (at % code.width(), at / code.width());
            expected[QUIET_ZONE + y][QUIET_ZONE + x] = color == Color::Dark;
        }
        assert_eq!(dark_modules(&drawn), expected);
    }

    /// The modules that a picture covers with horizontal strokes: `M4 4.5h7m3 0h1`.
    fn dark_modules(drawn: &QrCode) -> Vec<Vec<bool>> {
        let mut dark = vec![vec![false; drawn.size]; drawn.size];
        let (mut x, mut y, mut rest) = (0, 0, drawn.path.as_str());
        while let Some(command) = rest.chars().next() {
            let (numbers, others) =
                rest[1..].split_at(rest[1..].find(['M', 'm', 'h']).unwrap_or(rest.len() - 1));
            // A stroke runs through the middle of its row.
            let mut numbers = numbers.split(' ').map(|number| number.trim_end_matches(".5").parse().unwrap());
            let number: usize = numbers.next().unwrap();
            match command {
                'M' => (x, y) = (number, numbers.next().unwrap()),
                'm' => x += number,
                _ => {
                    dark[y][x..x + number].fill(true);
                    x += number;
                }
            }
            rest = others;
        }
        dark
    }
}

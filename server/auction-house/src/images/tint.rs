//! The mean colour of a picture, which pages show in its place until it is loaded.

use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pixels::Pixels;

/// A colour in sRGB, written as `#c8961e`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tint([u8; 3]);

/// The text is not a colour of a tint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be # and six hexadecimal digits")]
pub struct NotATint;

impl Tint {
    /// The mean of all pixels.
    pub fn of(pixels: &Pixels) -> Self {
        let mut sums = [0_u64; 3];
        for pixel in pixels.rgb.chunks_exact(3) {
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*value);
            }
        }
        let count = (pixels.rgb.len() as u64 / 3).max(1);
        Self(sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX)))
    }
}

/// Grey, for a picture that was stored without its mean.
impl Default for Tint {
    fn default() -> Self {
        Self([0x80; 3])
    }
}

impl Display for Tint {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        write!(f, "#{}", const_hex::encode(self.0))
    }
}

impl FromStr for Tint {
    type Err = NotATint;

    fn from_str(text: &str) -> Result<Self, NotATint> {
        let digits = text.strip_prefix('#').ok_or(NotATint)?;
        let mut rgb = [0; 3];
        const_hex::decode_to_slice(digits, &mut rgb).map_err(|_| NotATint)?;
        Ok(Self(rgb))
    }
}

impl TryFrom<String> for Tint {
    type Error = NotATint;

    fn try_from(text: String) -> Result<Self, NotATint> {
        text.parse()
    }
}

impl From<Tint> for String {
    fn from(tint: Tint) -> Self {
        tint.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tint_is_the_mean_of_a_picture_and_survives_as_text() {
        let pixels = Pixels { width: 2, height: 1, rgb: vec![200, 0, 10, 0, 100, 30] };
        let tint = Tint::of(&pixels);
        assert_eq!(tint.to_string(), "#643214");
        assert_eq!("#643214".parse(), Ok(tint));
        for other in ["643214", "#64321", "#6432145", "#gggggg", "#0x3214", "red", ""] {
            assert_eq!(other.parse::<Tint>(), Err(NotATint), "{other}");
        }
    }
}

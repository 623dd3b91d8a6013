//! The files that are kept of a picture: three JPEGs without metadata.

use jpeg_encoder::{ColorType, Encoder};

use super::formats::{ImageSource, decode};
use super::pixels::Pixels;
use super::{ImageSize, InvalidImage, Tint};

/// Quality of the JPEGs, from 1 to 100: at this one no difference is seen.
const QUALITY: u8 = 82;

/// A picture in each size, as JPEG.
#[derive(Debug)]
pub struct Rendition {
    /// Pixels of the full size.
    pub width: u32,
    pub height: u32,
    pub tint: Tint,
    pub full: Vec<u8>,
    pub medium: Vec<u8>,
    pub thumbnail: Vec<u8>,
}

impl Rendition {
    /// Reads a picture and encodes it anew.
    ///
    /// # Errors
    /// The file is not a picture that is kept.
    pub fn of(source: ImageSource) -> Result<Self, InvalidImage> {
        let decoded = decode(source)?;
        let full = scaled(decoded, ImageSize::Full)?;
        let (width, height, encoded) = (full.width, full.height, encoded(&full)?);
        let medium = scaled(full, ImageSize::Medium)?;
        let encoded_medium = self::encoded(&medium)?;
        let thumbnail = scaled(medium, ImageSize::Thumbnail)?;
        let (tint, thumbnail) = (Tint::of(&thumbnail), self::encoded(&thumbnail)?);
        Ok(Self { width, height, tint, full: encoded, medium: encoded_medium, thumbnail })
    }
}

fn scaled(pixels: Pixels, size: ImageSize) -> Result<Pixels, InvalidImage> {
    let fitting = size.fit(pixels.width, pixels.height);
    pixels.scaled(fitting).map_err(|_| InvalidImage::Damaged)
}

fn encoded(pixels: &Pixels) -> Result<Vec<u8>, InvalidImage> {
    let side = |side: u32| u16::try_from(side).map_err(|_| InvalidImage::TooManyPixels);
    let mut jpeg = Vec::new();
    let encoder = Encoder::new(&mut jpeg, QUALITY);
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    encoder.encode(&pixels.rgb, width, height, ColorType::Rgb).map_err(|_| InvalidImage::Damaged)?;
    Ok(jpeg)
}

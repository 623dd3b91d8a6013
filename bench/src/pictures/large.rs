//! Pictures with as many pixels as an upload may have.

use image_webp::{ColorType as WebPColor, WebPEncoder};
use jpeg_encoder::{ColorType as JpegColor, Encoder as JpegEncoder};

use crate::load::MeasureError;

/// 49.9 megapixels, in the shape of a camera's.
const WIDTH: u16 = 8160;
const HEIGHT: u16 = 6120;
/// Quality of the JPEG, from 1 to 100: with this noise its file has about 6 MB, like one of a camera.
const QUALITY: u8 = 82;
const NOISE: u32 = 16;

#[derive(Debug, Clone, Copy)]
pub enum PictureKind {
    /// The format of cameras.
    Jpeg,
    /// Without loss, which takes the most memory to read.
    WebP,
}

/// The file of a picture.
pub fn picture(kind: PictureKind) -> Result<Vec<u8>, MeasureError> {
    let mut file = Vec::new();
    let failed = |error: &dyn std::fmt::Display| MeasureError::Picture(error.to_string());
    match kind {
        PictureKind::Jpeg => JpegEncoder::new(&mut file, QUALITY)
            .encode(&pixels(NOISE), WIDTH, HEIGHT, JpegColor::Rgb)
            .map_err(|error| failed(&error))?,
        // Noise would make the file larger than an upload may be.
        PictureKind::WebP => WebPEncoder::new(&mut file)
            .encode(&pixels(0), WIDTH.into(), HEIGHT.into(), WebPColor::Rgb8)
            .map_err(|error| failed(&error))?,
    }
    Ok(file)
}

/// Colours that change from the upper left to the lower right, with noise of so many levels.
fn pixels(noise: u32) -> Vec<u8> {
    let mut random = 1_u32;
    let mut pixels = Vec::with_capacity(3 * usize::from(WIDTH) * usize::from(HEIGHT));
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            // A linear congruential generator, whose upper bits are random enough to be hard to compress.
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = (random >> 16).checked_rem(noise).unwrap_or(0);
            let shade = |part: u16, whole: u16| {
                let shade = u32::from(part) * 240 / u32::from(whole) + noise;
                u8::try_from(shade).unwrap_or(u8::MAX)
            };
            pixels.extend([shade(x, WIDTH), shade(y, HEIGHT), shade(x / 2 + y / 2, WIDTH)]);
        }
    }
    pixels
}

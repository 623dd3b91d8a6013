//! WebP. An animated one is its first frame.

use std::io::BufReader;

use image_webp::{DecodingError, WebPDecoder};

use super::{Decoded, MEMORY_MAX, Source, check_size, of_io};
use crate::images::InvalidImage;
use crate::images::orientation::Orientation;
use crate::images::pixels::{Channels, Reducer};

pub fn decode(source: BufReader<Source>) -> Result<Decoded, InvalidImage> {
    let mut decoder = WebPDecoder::new(source).map_err(|error| invalid(&error))?;
    decoder.set_memory_limit(usize::try_from(MEMORY_MAX).unwrap_or(usize::MAX));
    let (width, height) = decoder.dimensions();
    // The decoded frame, the canvas of an animation, and the picture.
    check_size(width, height, if decoder.is_animated() { 12 } else { 7 })?;
    let channels = if decoder.has_alpha() { Channels::Rgba } else { Channels::Rgb };
    let exif = decoder.exif_metadata().map_err(|error| invalid(&error))?;
    let mut bytes = vec![0; decoder.output_buffer_size().ok_or(InvalidImage::TooManyPixels)?];
    decoder.read_image(&mut bytes).map_err(|error| invalid(&error))?;
    let mut reducer = Reducer::new(width, height, channels);
    bytes.chunks_exact(width as usize * channels.count()).for_each(|row| reducer.add(row));
    let pixels = reducer.finish().ok_or(InvalidImage::Damaged)?;
    Ok(Decoded { pixels, orientation: Orientation::of_exif(exif) })
}

fn invalid(error: &DecodingError) -> InvalidImage {
    match error {
        DecodingError::IoError(error) => of_io(error),
        DecodingError::MemoryLimitExceeded | DecodingError::ImageTooLarge => InvalidImage::TooManyPixels,
        _ => InvalidImage::Damaged,
    }
}

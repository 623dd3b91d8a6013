//! WebP. An animated one is its first frame.

use std::fs::File;
use std::io::{BufReader, Result as IoResult, Seek};
use std::os::unix::fs::FileExt;

use image_webp::{DecodingError, WebPDecoder};

use super::{Decoded, ImageSource, check_size, memory_max, of_io};
use crate::images::InvalidImage;
use crate::images::orientation::Orientation;
use crate::images::pixels::{Channels, Reducer};

pub fn decode(mut source: BufReader<ImageSource>) -> Result<Decoded, InvalidImage> {
    let mut header = WebPDecoder::new(&mut source).map_err(|error| invalid(&error))?;
    let (is_lossy, is_animated) = (header.is_lossy(), header.is_animated());
    let (width, height) = header.dimensions();
    check_size(width, height, bytes_each(is_lossy, is_animated, header.has_alpha()))?;
    let channels = match header.has_alpha() {
        true => Channels::Rgba,
        false if is_lossy || is_animated => Channels::Rgb,
        false => {
            declare_alpha(&source.get_ref().file).map_err(|error| of_io(&error))?;
            Channels::RgbUnused
        }
    };
    source.rewind().map_err(|error| of_io(&error))?;
    let mut decoder = WebPDecoder::new(source).map_err(|error| invalid(&error))?;
    decoder.set_memory_limit(usize::try_from(memory_max()).unwrap_or(usize::MAX));
    let exif = decoder.exif_metadata().map_err(|error| invalid(&error))?;
    let profile = decoder.icc_profile().map_err(|error| invalid(&error))?;
    let mut bytes = vec![0; decoder.output_buffer_size().ok_or(InvalidImage::TooManyPixels)?];
    decoder.read_image(&mut bytes).map_err(|error| invalid(&error))?;
    let mut reducer = Reducer::new(width, height, channels);
    bytes.chunks_exact(width as usize * channels.count()).for_each(|row| reducer.add(row));
    let pixels = reducer.finish().ok_or(InvalidImage::Damaged)?;
    Ok(Decoded { pixels, orientation: Orientation::of_exif(exif), profile })
}

/// The most that the decoder and the buffer hold at any moment.
fn bytes_each(is_lossy: bool, is_animated: bool, has_alpha: bool) -> u64 {
    match (is_lossy, is_animated, has_alpha) {
        // The decoded frame, the canvas of the animation, and the buffer.
        (_, true, _) => 12,
        // The planes of brightness and colour, the buffer, and the alpha channel, which is decoded like a
        // picture.
        (true, false, true) => 11,
        (true, false, false) => 5,
        (false, false, _) => 4,
    }
}

/// Declares an opaque picture without loss to be transparent in part. The decoder then writes the four bytes
/// of a pixel to the buffer; of a picture that is declared opaque it holds them beside the three of the
/// buffer: 350 MB instead of 200 for 50 megapixels.
fn declare_alpha(file: &File) -> IoResult<()> {
    const FIRST_CHUNK: u64 = 12;
    const DECLARED: u8 = 0x10;
    let mut name = [0; 4];
    file.read_exact_at(&mut name, FIRST_CHUNK)?;
    // The flags of the extended header, or those behind the dimensions of the picture.
    let at = FIRST_CHUNK + if name == *b"VP8X" { 8 } else { 12 };
    let mut flags = [0];
    file.read_exact_at(&mut flags, at)?;
    file.write_all_at(&flags.map(|flags| flags | DECLARED), at)
}

fn invalid(error: &DecodingError) -> InvalidImage {
    match error {
        DecodingError::IoError(error) => of_io(error),
        DecodingError::MemoryLimitExceeded | DecodingError::ImageTooLarge => InvalidImage::TooMuchMemory,
        _ => InvalidImage::Damaged,
    }
}

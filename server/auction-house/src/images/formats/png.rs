//! PNG, read row by row. An animated one is its first frame.

use std::io::BufReader;

use png::{ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

use super::{Decoded, ImageSource, check_size, memory_max, of_io};
use crate::images::InvalidImage;
use crate::images::orientation::Orientation;
use crate::images::pixels::{Channels, Pixels, Reducer};

pub fn decode(source: BufReader<ImageSource>) -> Result<Decoded, InvalidImage> {
    let mut decoder = Decoder::new_with_limits(source, limits(memory_max()));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info().map_err(|error| invalid(&error))?;
    let (width, height, interlaced) = (header.width, header.height, header.interlaced);
    // Rows of an interlaced picture arrive out of order.
    let bytes_each = if interlaced { 5 } else { 0 };
    check_size(width, height, bytes_each)?;
    // What the picture does not take is for its colour profile, which is compressed.
    let picture = u64::from(width) * u64::from(height) * bytes_each;
    decoder.set_limits(limits(memory_max().saturating_sub(picture)));
    let mut reader = decoder.read_info().map_err(|error| invalid(&error))?;
    let orientation = Orientation::of_exif(reader.info().exif_metadata.as_ref().map(|data| data.to_vec()));
    let profile = reader.info().icc_profile.as_ref().map(|data| data.to_vec());
    let channels = match reader.output_color_type().0 {
        ColorType::Grayscale => Channels::Gray,
        ColorType::GrayscaleAlpha => Channels::GrayAlpha,
        ColorType::Rgb => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Indexed => return Err(InvalidImage::Damaged),
    };
    let mut reducer = Reducer::new(width, height, channels);
    if interlaced {
        add_whole(&mut reader, width, channels, &mut reducer)?;
    } else {
        while let Some(row) = reader.next_row().map_err(|error| invalid(&error))? {
            reducer.add(row.data());
        }
    }
    let pixels: Pixels = reducer.finish().ok_or(InvalidImage::Damaged)?;
    Ok(Decoded { pixels, orientation, profile })
}

fn limits(bytes: u64) -> Limits {
    Limits { bytes: usize::try_from(bytes).unwrap_or(usize::MAX) }
}

fn add_whole(
    reader: &mut Reader<BufReader<ImageSource>>,
    width: u32,
    channels: Channels,
    reducer: &mut Reducer,
) -> Result<(), InvalidImage> {
    let mut bytes = vec![0; reader.output_buffer_size().ok_or(InvalidImage::TooManyPixels)?];
    reader.next_frame(&mut bytes).map_err(|error| invalid(&error))?;
    bytes.chunks_exact(width as usize * channels.count()).for_each(|row| reducer.add(row));
    Ok(())
}

fn invalid(error: &DecodingError) -> InvalidImage {
    match error {
        DecodingError::IoError(error) => of_io(error),
        DecodingError::LimitsExceeded => InvalidImage::TooMuchMemory,
        DecodingError::Format(_) | DecodingError::Parameter(_) => InvalidImage::Damaged,
    }
}

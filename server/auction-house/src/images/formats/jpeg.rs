//! JPEG, decoded at the smallest fraction of its size that still has the full size.

use std::io::{BufReader, Read, Seek};

use jpeg_decoder::{CodingProcess, Decoder, Error, PixelFormat};

use super::{Decoded, ImageSource, check_size, of_io};
use crate::images::orientation::Orientation;
use crate::images::pixels::{Channels, Reducer};
use crate::images::{ImageSize, InvalidImage};

/// The marker at the end of a picture.
const END: &[u8] = &[0xff, 0xd9];
/// The same after other bits than the decoder makes of a missing row.
const FILLED_END: &[u8] = &[0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0xff, 0xd9];

pub fn decode(mut source: BufReader<ImageSource>) -> Result<Decoded, InvalidImage> {
    match decode_from(&mut source) {
        Err(InvalidImage::Damaged) => decode_without_end(source),
        decoded => decoded,
    }
}

/// Decodes a picture that lacks nothing but its end mark: some cameras and transfers drop it. Two endings
/// give the same picture only if no row is missing.
fn decode_without_end(mut source: BufReader<ImageSource>) -> Result<Decoded, InvalidImage> {
    let mut ended_by = |end: &'static [u8]| {
        source.rewind().map_err(|error| of_io(&error))?;
        decode_from((&mut source).chain(end))
    };
    let (decoded, other) = (ended_by(END)?, ended_by(FILLED_END)?);
    if decoded.pixels == other.pixels { Ok(decoded) } else { Err(InvalidImage::Damaged) }
}

fn decode_from(source: impl Read) -> Result<Decoded, InvalidImage> {
    let mut decoder = Decoder::new(source);
    decoder.read_info().map_err(|error| invalid(&error))?;
    let info = decoder.info().ok_or(InvalidImage::Damaged)?;
    let channels = match info.pixel_format {
        PixelFormat::L8 => Channels::Gray,
        PixelFormat::RGB24 => Channels::Rgb,
        PixelFormat::CMYK32 => Channels::Cmyk,
        PixelFormat::L16 => return Err(InvalidImage::UnknownFormat),
    };
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height, bytes_each(info.coding_process, channels))?;
    let (wanted_width, wanted_height) = ImageSize::Full.fit(width, height);
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let scaled = decoder.scale(side(wanted_width), side(wanted_height)).map_err(|error| invalid(&error))?;
    let bytes = decoder.decode().map_err(|error| invalid(&error))?;
    let orientation = Orientation::of_exif(decoder.exif_data().map(<[u8]>::to_vec));
    let (width, height) = (u32::from(scaled.0), u32::from(scaled.1));
    let mut reducer = Reducer::new(width, height, channels);
    bytes.chunks_exact(width as usize * channels.count()).for_each(|row| reducer.add(row));
    let pixels = reducer.finish().ok_or(InvalidImage::Damaged)?;
    Ok(Decoded { pixels, orientation, profile: decoder.icc_profile() })
}

/// A progressive picture is complete only with its last scan: until then two bytes of each channel are kept,
/// and those of one channel once more on their way to the thread that transforms it.
fn bytes_each(process: CodingProcess, channels: Channels) -> u64 {
    match process {
        CodingProcess::DctProgressive => 2 * (channels.count() as u64 + 1),
        CodingProcess::DctSequential => 2,
        CodingProcess::Lossless => 2 * channels.count() as u64,
    }
}

fn invalid(error: &Error) -> InvalidImage {
    match error {
        Error::Io(error) => of_io(error),
        Error::Unsupported(_) => InvalidImage::UnknownFormat,
        Error::Format(_) | Error::Internal(_) => InvalidImage::Damaged,
    }
}

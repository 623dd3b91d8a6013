//! Reading uploaded pictures: only formats whose decoders are part of the binary, with limits on pixels,
//! memory and time.

mod jpeg;
mod png;
mod webp;

use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read, Result as IoResult, Seek, SeekFrom};
use std::sync::{Arc, LazyLock};

use super::orientation::Orientation;
use super::pixels::Pixels;
use super::profile::to_srgb;
use super::{InvalidImage, PIXELS_MAX};
use platform::memory;
use platform::time::{Clock, Moment};

/// Bytes that one picture may take while it is read, on a machine with enough memory.
const MEMORY_MAX: u64 = 320_000_000;
/// Bytes that one picture may take in any case.
const MEMORY_MIN: u64 = 16_000_000;
/// Bytes of a memory limit that are for everything else.
const MEMORY_OF_OTHERS: u64 = 128 << 20;
/// How long reading one picture may take.
const SECONDS_MAX: i64 = 20;
/// Enough to recognize each format.
const SIGNATURE_BYTES: usize = 12;

/// An uploaded file with a deadline, which is checked with each read: a decoder asks for more until it has
/// the picture.
pub struct ImageSource {
    file: File,
    clock: Arc<dyn Clock>,
    deadline: Moment,
}

impl ImageSource {
    pub fn new(file: File, clock: Arc<dyn Clock>) -> Self {
        let deadline = clock.now().plus_seconds(SECONDS_MAX);
        Self { file, clock, deadline }
    }
}

impl Read for ImageSource {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        if self.clock.now() > self.deadline {
            return Err(Error::from(ErrorKind::TimedOut));
        }
        self.file.read(buffer)
    }
}

impl Seek for ImageSource {
    fn seek(&mut self, to: SeekFrom) -> IoResult<u64> {
        self.file.seek(to)
    }
}

/// A picture of at least the full size, or its own, as it is stored in the file.
struct Decoded {
    pixels: Pixels,
    orientation: Orientation,
    /// The colour profile (ICC) of the file.
    profile: Option<Vec<u8>>,
}

/// Reads a picture, turns it upright and converts it to sRGB.
///
/// # Errors
/// The file is not a picture that is kept, whatever its name says.
pub fn decode(mut source: ImageSource) -> Result<Pixels, InvalidImage> {
    let mut signature = [0; SIGNATURE_BYTES];
    let read = source.read_exact(&mut signature).and_then(|()| source.rewind());
    read.map_err(|_| InvalidImage::UnknownFormat)?;
    let source = BufReader::new(source);
    let decoded = match &signature {
        [0xff, 0xd8, 0xff, ..] => jpeg::decode(source)?,
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => png::decode(source)?,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => webp::decode(source)?,
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => return Err(of_brand(brand)),
        _ => return Err(InvalidImage::UnknownFormat),
    };
    Ok(to_srgb(decoded.orientation.upright(decoded.pixels), decoded.profile.as_deref()))
}

/// Names the format of a brand (ISO/IEC 23000-22). Phones take such pictures, which few browsers show.
fn of_brand(brand: &[u8]) -> InvalidImage {
    match brand {
        b"avif" | b"avis" => InvalidImage::Avif,
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" => InvalidImage::Heic,
        _ => InvalidImage::UnknownFormat,
    }
}

/// Refuses dimensions with too many pixels, and pixels that take too much memory at so many bytes each.
fn check_size(width: u32, height: u32, bytes_each: u64) -> Result<(), InvalidImage> {
    let pixels = u64::from(width) * u64::from(height);
    match pixels {
        0 => Err(InvalidImage::Damaged),
        _ if pixels > PIXELS_MAX => Err(InvalidImage::TooManyPixels),
        _ if pixels * bytes_each > memory_max() => Err(InvalidImage::TooMuchMemory),
        _ => Ok(()),
    }
}

/// Bytes that one picture may take while it is read. A process that takes more than its limit is killed.
fn memory_max() -> u64 {
    static MAX: LazyLock<u64> = LazyLock::new(|| memory_max_within(memory::limit()));
    *MAX
}

fn memory_max_within(limit: Option<u64>) -> u64 {
    limit.map_or(MEMORY_MAX, |limit| limit.saturating_sub(MEMORY_OF_OTHERS).clamp(MEMORY_MIN, MEMORY_MAX))
}

/// What an error of reading means.
fn of_io(error: &Error) -> InvalidImage {
    match error.kind() {
        ErrorKind::TimedOut => InvalidImage::TooSlow,
        _ => InvalidImage::Damaged,
    }
}

#[cfg(test)]
mod tests;

//! Pictures of items: what is kept of an uploaded picture, and the files that it is kept in. Whatever was
//! uploaded, the kept files are JPEGs in three sizes, in sRGB, upright and without metadata.
//!
//! An upload goes to a file without a name while it arrives. One picture at a time is read and scaled, on a
//! thread of low priority. All sizes are written under the hash of the content before the transaction that
//! adds the image to its item, so that whatever refers to a file finds it. Files that nothing refers to are
//! removed later.

pub mod content;
pub mod formats;
mod orientation;
mod pixels;
mod profile;
pub mod rendition;
pub mod tint;
pub mod workshop;

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

pub use self::content::Content;
pub use self::tint::Tint;
pub use self::workshop::Images;
use crate::ids::ImageId;
use platform::text_enum;

/// Images of one item, at most.
pub const IMAGES_MAX: usize = 10;
/// Bytes of one uploaded file, at most.
pub const UPLOAD_BYTES_MAX: u64 = 10_000_000;
/// Pixels of one uploaded picture, at most.
pub const PIXELS_MAX: u64 = 50_000_000;
/// Characters of an alternative text.
pub const ALT_CHARS: RangeInclusive<usize> = 0..=200;

/// An image of an item, as it is stored with the item.
///
/// INVARIANT: the serde names are the format of the column `images`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub id: ImageId,
    /// Alternative text; empty if nobody has written one.
    pub alt: String,
    /// Pixels of the full size.
    pub width: u32,
    pub height: u32,
    #[serde(default)]
    pub tint: Tint,
    pub content: Content,
}

text_enum! {
    /// The sizes in which an image is kept.
    pub enum ImageSize {
        Thumbnail = "thumbnail",
        Medium = "medium",
        Full = "full",
    }
}

impl ImageSize {
    /// The longer side has at most so many pixels.
    pub fn side_max(self) -> u32 {
        match self {
            Self::Thumbnail => 400,
            Self::Medium => 800,
            Self::Full => 1600,
        }
    }

    /// The dimensions of a picture in this size. A small picture keeps its own.
    pub fn fit(self, width: u32, height: u32) -> (u32, u32) {
        let (long, most) = (width.max(height).max(1), self.side_max());
        if long <= most {
            return (width.max(1), height.max(1));
        }
        let scaled = |side: u32| {
            let scaled = (u64::from(side) * u64::from(most) + u64::from(long) / 2) / u64::from(long);
            u32::try_from(scaled).unwrap_or(most).max(1)
        };
        (scaled(width), scaled(height))
    }
}

/// Why an uploaded file is not kept.
#[derive(Debug, thiserror::Error)]
pub enum InvalidImage {
    #[error("the file is not a JPEG, PNG or WebP picture")]
    UnknownFormat,
    #[error("the file is a HEIC picture")]
    Heic,
    #[error("the file is an AVIF picture")]
    Avif,
    #[error("the picture has more than 50 megapixels")]
    TooManyPixels,
    #[error("the picture takes too much memory to read")]
    TooMuchMemory,
    #[error("the picture is damaged or incomplete")]
    Damaged,
    #[error("the picture takes too long to read")]
    TooSlow,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fits_its_size_and_keeps_its_proportions() {
        for (given, full, medium, thumbnail) in [
            ((4000, 3000), (1600, 1200), (800, 600), (400, 300)),
            ((3000, 4000), (1200, 1600), (600, 800), (300, 400)),
            ((640, 480), (640, 480), (640, 480), (400, 300)),
            ((10, 10), (10, 10), (10, 10), (10, 10)),
            ((50_000_000, 1), (1600, 1), (800, 1), (400, 1)),
        ] {
            assert_eq!(ImageSize::Full.fit(given.0, given.1), full);
            assert_eq!(ImageSize::Medium.fit(given.0, given.1), medium);
            assert_eq!(ImageSize::Thumbnail.fit(given.0, given.1), thumbnail);
        }
    }
}

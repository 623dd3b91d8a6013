//! How a camera was held, as EXIF says, and the turn that makes its picture upright.

use super::pixels::Pixels;

/// The EXIF value, 1 to 8: 1 is upright.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation(u32);

impl Orientation {
    pub const UPRIGHT: Self = Self(1);

    /// From the EXIF data of a picture. Data that can't be read is as good as none.
    pub fn of_exif(exif: Option<Vec<u8>>) -> Self {
        let read = exif.and_then(|data| exif::Reader::new().read_raw(data).ok());
        let field = read.as_ref().and_then(|exif| exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY));
        let value = field.and_then(|field| field.value.get_uint(0));
        value.filter(|value| (1..=8).contains(value)).map_or(Self::UPRIGHT, Self)
    }

    /// Turns and mirrors a picture until it is upright.
    pub fn upright(self, pixels: Pixels) -> Pixels {
        let (width, height) = (pixels.width, pixels.height);
        let (right, bottom) = (width.saturating_sub(1), height.saturating_sub(1));
        let (same, turned) = ((width, height), (height, width));
        match self.0 {
            2 => pixels.moved(same, |x, y| (right - x, y)),
            3 => pixels.moved(same, |x, y| (right - x, bottom - y)),
            4 => pixels.moved(same, |x, y| (x, bottom - y)),
            5 => pixels.moved(turned, |x, y| (y, x)),
            6 => pixels.moved(turned, |x, y| (bottom - y, x)),
            7 => pixels.moved(turned, |x, y| (bottom - y, right - x)),
            8 => pixels.moved(turned, |x, y| (y, right - x)),
            _ => pixels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture `A B C / D E F` as each orientation stores it.
    #[test]
    fn each_orientation_becomes_upright() {
        let stored = [
            (1, 3, "ABCDEF"),
            (2, 3, "CBAFED"),
            (3, 3, "FEDCBA"),
            (4, 3, "DEFABC"),
            (5, 2, "ADBECF"),
            (6, 2, "CFBEAD"),
            (7, 2, "FCEBDA"),
            (8, 2, "DAEBFC"),
        ];
        for (value, width, letters) in stored {
            let rgb = letters.bytes().flat_map(|letter| [letter; 3]).collect();
            let pixels = Pixels { width, height: 6 / width, rgb };
            let upright = Orientation(value).upright(pixels);
            let shown: Vec<u8> = upright.rgb.chunks(3).map(|pixel| pixel[0]).collect();
            assert_eq!((upright.width, std::str::from_utf8(&shown).unwrap()), (3, "ABCDEF"), "{value}");
        }
    }
}

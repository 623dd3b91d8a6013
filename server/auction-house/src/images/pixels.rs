//! Pixels of a picture, and their reduction while they are read: a large picture is never held in its full
//! size if its format can be read row by row.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{ResizeError, Resizer};

use super::ImageSize;

/// A picture in RGB, 8 bits each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// Three bytes for each pixel, row by row.
    pub rgb: Vec<u8>,
}

impl Pixels {
    /// The picture scaled down to these dimensions, or itself if it has them.
    pub fn scaled(self, (width, height): (u32, u32)) -> Result<Self, ResizeError> {
        if (self.width, self.height) == (width, height) {
            return Ok(self);
        }
        let mut rgb = vec![0; width as usize * height as usize * 3];
        let from = TypedImageRef::<U8x3>::from_buffer(self.width, self.height, &self.rgb)
            .map_err(|_| ResizeError::PixelTypesAreDifferent)?;
        let mut to = TypedImage::<U8x3>::from_buffer(width, height, &mut rgb)
            .map_err(|_| ResizeError::PixelTypesAreDifferent)?;
        // With `resize`, the compiler includes twelve other types of pixels, in 2.6 MB of code.
        Resizer::new().resize_typed(&from, &mut to, None)?;
        Ok(Self { width, height, rgb })
    }

    /// The picture with each pixel moved to the place that `place` returns for its own.
    pub fn moved(&self, (width, height): (u32, u32), place: impl Fn(u32, u32) -> (u32, u32)) -> Self {
        let mut rgb = vec![0; self.rgb.len()];
        let (mut x, mut y) = (0, 0);
        for pixel in self.rgb.chunks_exact(3) {
            let (to_x, to_y) = place(x, y);
            let at = (to_y as usize * width as usize + to_x as usize) * 3;
            if let Some(to) = rgb.get_mut(at..at + 3) {
                to.copy_from_slice(pixel);
            }
            x += 1;
            if x == self.width {
                (x, y) = (0, y + 1);
            }
        }
        Self { width, height, rgb }
    }
}

/// What the bytes of a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// The fourth byte means nothing.
    RgbUnused,
    /// Colours of print: 255 is no ink in a decoded JPEG.
    Cmyk,
}

impl Channels {
    pub fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::RgbUnused | Self::Cmyk => 4,
        }
    }

    /// A pixel in RGB. What is transparent becomes white.
    fn rgb(self, pixel: &[u8]) -> [u8; 3] {
        let on_white = |value: u8, alpha: u8| {
            let (value, alpha) = (u16::from(value), u16::from(alpha));
            u8::try_from((value * alpha + 255 * (255 - alpha)) / 255).unwrap_or(255)
        };
        match (self, pixel) {
            (Self::Gray, &[gray]) => [gray; 3],
            (Self::GrayAlpha, &[gray, alpha]) => [on_white(gray, alpha); 3],
            (Self::Rgb, &[red, green, blue]) | (Self::RgbUnused, &[red, green, blue, _]) => {
                [red, green, blue]
            }
            (Self::Rgba, &[red, green, blue, alpha]) => {
                [on_white(red, alpha), on_white(green, alpha), on_white(blue, alpha)]
            }
            (Self::Cmyk, &[cyan, magenta, yellow, key]) => [cyan, magenta, yellow].map(|ink| {
                let light = (255 - u16::from(ink)) * (255 - u16::from(key)) / 255;
                u8::try_from(light).unwrap_or(255)
            }),
            _ => [255; 3],
        }
    }
}

/// Averages squares of pixels while rows arrive, so that at least the full size remains.
#[derive(Debug)]
pub struct Reducer {
    channels: Channels,
    factor: u32,
    width: u32,
    height: u32,
    /// Sums of the rows since the last finished one.
    sums: Vec<u32>,
    rows: u32,
    rgb: Vec<u8>,
}

impl Reducer {
    pub fn new(width: u32, height: u32, channels: Channels) -> Self {
        let factor = (width.max(height) / ImageSize::Full.side_max()).min(width.min(height)).max(1);
        let (width, height) = (width / factor, height / factor);
        let rgb = Vec::with_capacity(width as usize * height as usize * 3);
        Self { channels, factor, width, height, sums: vec![0; width as usize * 3], rows: 0, rgb }
    }

    pub fn add(&mut self, row: &[u8]) {
        let (channels, factor) = (self.channels, self.factor as usize);
        let squares = row.chunks_exact(channels.count() * factor).zip(self.sums.chunks_exact_mut(3));
        for (square, sums) in squares {
            for pixel in square.chunks_exact(channels.count()) {
                for (sum, value) in sums.iter_mut().zip(channels.rgb(pixel)) {
                    *sum += u32::from(value);
                }
            }
        }
        self.rows += 1;
        if self.rows == self.factor {
            let area = self.factor * self.factor;
            let mean = |sum: &u32| u8::try_from((sum + area / 2) / area).unwrap_or(255);
            let missing = self.width as usize * self.height as usize * 3 > self.rgb.len();
            if missing {
                self.rgb.extend(self.sums.iter().map(mean));
            }
            self.sums.fill(0);
            self.rows = 0;
        }
    }

    /// The picture; `None` if rows are missing.
    pub fn finish(self) -> Option<Pixels> {
        let Self { width, height, rgb, .. } = self;
        (rgb.len() == width as usize * height as usize * 3).then_some(Pixels { width, height, rgb })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_pixels_are_averaged() {
        // Twice the full size: squares of two by two.
        let mut reducer = Reducer::new(3200, 4, Channels::Gray);
        for row in 0..4_u8 {
            let pixels: Vec<u8> = (0..3200_u16).map(|x| if x % 2 == 0 { row } else { row + 100 }).collect();
            reducer.add(&pixels);
        }
        let pixels = reducer.finish().unwrap();
        assert_eq!((pixels.width, pixels.height), (1600, 2));
        assert_eq!((&pixels.rgb[..3], &pixels.rgb[4800..4803]), (&[51; 3][..], &[53; 3][..]));
    }

    #[test]
    fn a_picture_with_missing_rows_is_incomplete() {
        let mut reducer = Reducer::new(2, 2, Channels::Rgb);
        reducer.add(&[1; 6]);
        assert!(reducer.finish().is_none());
    }

    #[test]
    fn what_is_transparent_becomes_white() {
        assert_eq!(Channels::Rgba.rgb(&[10, 20, 30, 255]), [10, 20, 30]);
        assert_eq!(Channels::Rgba.rgb(&[10, 20, 30, 0]), [255; 3]);
        assert_eq!(Channels::GrayAlpha.rgb(&[0, 128]), [127; 3]);
    }
}

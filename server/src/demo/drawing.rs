//! Draws the pictures of the demo's items, so that they have no author: flat shapes on a coloured ground.

use std::fs::File;
use std::io::{Error, Result, Seek};

use serde::Deserialize;

const WIDTH: u16 = 800;
const HEIGHT: u16 = 600;

/// Red, green, blue.
type Colour = [u8; 3];

/// A picture as the story describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoPicture {
    /// Alternative text.
    pub alt: String,
    ground: Colour,
    /// Later shapes cover earlier ones.
    shapes: Vec<Shape>,
}

/// Coordinates are in pixels of 800 × 600, from the upper left corner.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    /// Centre and radius.
    Circle(Colour, i32, i32, i32),
    /// Left, top, width and height.
    Box(Colour, i32, i32, i32, i32),
}

impl Shape {
    fn colour_at(&self, x: i32, y: i32) -> Option<Colour> {
        match *self {
            Self::Circle(colour, centre_x, centre_y, radius) => {
                let (dx, dy) = (x - centre_x, y - centre_y);
                (dx * dx + dy * dy <= radius * radius).then_some(colour)
            }
            Self::Box(colour, left, top, width, height) => {
                let is_inside = (left..left + width).contains(&x) && (top..top + height).contains(&y);
                is_inside.then_some(colour)
            }
        }
    }
}

impl DemoPicture {
    /// Draws the picture into `file`, as PNG.
    pub fn draw(&self, mut file: File) -> Result<File> {
        let mut pixels = Vec::with_capacity(usize::from(WIDTH) * usize::from(HEIGHT) * 3);
        for y in 0..i32::from(HEIGHT) {
            for x in 0..i32::from(WIDTH) {
                let covering = self.shapes.iter().rev().find_map(|shape| shape.colour_at(x, y));
                pixels.extend(covering.unwrap_or(self.ground));
            }
        }
        let mut encoder = png::Encoder::new(&mut file, WIDTH.into(), HEIGHT.into());
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().map_err(Error::other)?;
        writer.write_image_data(&pixels).map_err(Error::other)?;
        writer.finish().map_err(Error::other)?;
        file.rewind()?;
        Ok(file)
    }
}

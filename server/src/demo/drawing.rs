//! Draws the pictures of the demo's items, so that they have no author: flat shapes on a coloured ground.

use std::fs::File;
use std::io::{Error, Result, Seek};

use serde::Deserialize;

/// Half of what the shapes are given in: a start of the demo draws dozens of pictures. Each pixel is the mean
/// of four, so that edges are smooth.
const WIDTH: u16 = 400;
const HEIGHT: u16 = 300;

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
    /// Centre, and half of its width and height.
    Ellipse(Colour, i32, i32, i32, i32),
    /// From, to, and width. Its ends are round.
    Line(Colour, i32, i32, i32, i32, i32),
    Polygon(Colour, Vec<[i32; 2]>),
}

impl Shape {
    /// Whether the shape may cover a pixel of the row.
    fn crosses(&self, row: i32) -> bool {
        match *self {
            Self::Circle(_, _, centre, radius) => (row - centre).abs() <= radius,
            Self::Box(_, _, top, _, height) => (top..top + height).contains(&row),
            Self::Ellipse(_, _, centre, _, half_height) => (row - centre).abs() <= half_height,
            Self::Line(_, _, from, _, to, width) => {
                (from.min(to) - width..=from.max(to) + width).contains(&row)
            }
            Self::Polygon(_, ref corners) => {
                corners.iter().any(|[_, y]| *y <= row) && corners.iter().any(|[_, y]| *y >= row)
            }
        }
    }

    fn colour_at(&self, x: i32, y: i32) -> Option<Colour> {
        match *self {
            Self::Ellipse(colour, centre_x, centre_y, half_width, half_height) => {
                let (dx, dy) = ((x - centre_x) * half_height, (y - centre_y) * half_width);
                let (dx, dy, size) = (i64::from(dx), i64::from(dy), i64::from(half_width * half_height));
                (dx * dx + dy * dy <= size * size).then_some(colour)
            }
            Self::Line(colour, from_x, from_y, to_x, to_y, width) => {
                is_on_line((x, y), (from_x, from_y), (to_x, to_y), width).then_some(colour)
            }
            Self::Polygon(colour, ref corners) => is_in_polygon(x, y, corners).then_some(colour),
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

/// Whether a point is at most half of the width away from the line between two others.
fn is_on_line(point: (i32, i32), from: (i32, i32), to: (i32, i32), width: i32) -> bool {
    let (dx, dy) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
    let (px, py) = (i64::from(point.0 - from.0), i64::from(point.1 - from.1));
    let length = (dx * dx + dy * dy).max(1);
    // The nearest point of the line, in parts of its length.
    let along = (px * dx + py * dy).clamp(0, length);
    let (nx, ny) = (px * length - along * dx, py * length - along * dy);
    let far = i64::from(width) * length;
    4 * (nx * nx + ny * ny) <= far * far
}

/// Whether a line from the point to the right crosses an odd number of edges.
fn is_in_polygon(x: i32, y: i32, corners: &[[i32; 2]]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crosses = |(&[ax, ay], &[bx, by]): (&[i32; 2], &[i32; 2])| {
        if (ay > y) == (by > y) {
            return false;
        }
        // Without a division: the side of the edge on which the point lies.
        let side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
        if by > ay { side > 0 } else { side < 0 }
    };
    corners.iter().zip(next).filter(|edge| crosses(*edge)).count() % 2 == 1
}

impl DemoPicture {
    /// The shapes that a row crosses, the last one first.
    fn shapes_in(&self, row: i32) -> Vec<&Shape> {
        self.shapes.iter().rev().filter(|shape| shape.crosses(row)).collect()
    }

    /// Draws the picture into `file`, as PNG.
    pub fn draw(&self, mut file: File) -> Result<File> {
        let mut pixels = Vec::with_capacity(usize::from(WIDTH) * usize::from(HEIGHT) * 3);
        for y in 0..i32::from(HEIGHT) {
            let rows = [2 * y, 2 * y + 1].map(|row| (row, self.shapes_in(row)));
            for x in 0..i32::from(WIDTH) {
                let mut sums = [0_u16; 3];
                for (row, shapes) in &rows {
                    for column in [2 * x, 2 * x + 1] {
                        let covering = shapes.iter().find_map(|shape| shape.colour_at(column, *row));
                        let colour = covering.unwrap_or(self.ground);
                        sums.iter_mut().zip(colour).for_each(|(sum, part)| *sum += u16::from(part));
                    }
                }
                pixels.extend(sums.map(|sum| u8::try_from(sum / 4).unwrap_or(u8::MAX)));
            }
        }
        let mut encoder = png::Encoder::new(&mut file, WIDTH.into(), HEIGHT.into());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(Error::other)?;
        writer.write_image_data(&pixels).map_err(Error::other)?;
        writer.finish().map_err(Error::other)?;
        file.rewind()?;
        Ok(file)
    }
}

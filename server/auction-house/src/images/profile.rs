//! Colour profiles (ICC) of uploaded pictures. A phone writes the colours of its camera's wide space; without
//! the profile they would be shown as those of sRGB, and look faded.

use std::sync::Arc;

use moxcms::{ColorProfile, Layout, ParsingOptions, Transform8BitExecutor, TransformOptions};

use super::pixels::Pixels;

/// Bytes of a profile that is read. Those of cameras and screens have a few hundred.
const BYTES_MAX: usize = 1_000_000;

/// Converts a picture to sRGB by the profile of its file. A profile that is damaged, or does not describe
/// three primaries, is as good as none.
pub fn to_srgb(mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    let Some(transform) = profile.and_then(transform) else { return pixels };
    let bytes = pixels.width as usize * 3;
    let mut given = vec![0; bytes];
    for row in pixels.rgb.chunks_exact_mut(bytes.max(1)) {
        given.copy_from_slice(row);
        if transform.transform(&given, row).is_err() {
            row.copy_from_slice(&given);
        }
    }
    pixels
}

fn transform(profile: &[u8]) -> Option<Arc<Transform8BitExecutor>> {
    let options = ParsingOptions { max_profile_size: BYTES_MAX, ..ParsingOptions::default() };
    let profile = ColorProfile::new_from_slice_with_options(profile, options).ok()?;
    if !profile.is_matrix_shaper() {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default()).ok()
}

use std::io::{Seek, Write};
use std::sync::Arc;

use image_webp::{ColorType as WebpColor, WebPEncoder};
use jpeg_encoder::{ColorType as JpegColor, Encoder};
use moxcms::ColorProfile;
use platform::time::{ManualClock, SystemClock};

use super::jpeg::decode as jpeg_decoded;
use super::*;
use crate::images::ImageSize;
use crate::images::rendition::Rendition;

fn source(bytes: &[u8]) -> ImageSource {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    ImageSource::new(file, Arc::new(SystemClock))
}

fn size_of(bytes: &[u8]) -> (u32, u32) {
    let pixels = decode(source(bytes)).unwrap();
    (pixels.width, pixels.height)
}

fn error_of(bytes: &[u8]) -> InvalidImage {
    decode(source(bytes)).map(|pixels| (pixels.width, pixels.height)).unwrap_err()
}

/// Red in the left half, blue in the right one.
fn rgb(width: u16, height: u16) -> Vec<u8> {
    let row = (0..width).flat_map(|x| if x < width / 2 { [200, 0, 0] } else { [0, 0, 200] });
    row.collect::<Vec<u8>>().repeat(usize::from(height))
}

fn jpeg(width: u16, height: u16, progressive: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 90);
    encoder.set_progressive(progressive);
    encoder.encode(&rgb(width, height), width, height, JpegColor::Rgb).unwrap();
    bytes
}

fn png(width: u32, height: u32, color: ::png::ColorType, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

fn webp(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = WebPEncoder::new(&mut bytes);
    encoder.encode(&rgb(width, height), width.into(), height.into(), WebpColor::Rgb8).unwrap();
    bytes
}

/// A JPEG with an APP1 segment: this orientation, and a place on Earth.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    exif.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    // GPSLatitudeRef and its neighbours are found by their directory; a reader of the served file would see
    // these bytes.
    exif.extend([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0x26, 0, 0, 0, 0]);
    exif.extend(b"\0\x01\0\x01\0\x02\0\0\0\x02N\0\0\0\0\0\0\0GPS-SECRET");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let padding: &[u8] = if data.len() % 2 == 1 { &[0] } else { &[] };
    [&name[..], &u32::try_from(data.len()).unwrap().to_le_bytes(), data, padding].concat()
}

/// An animation of two frames, of which the second is damaged.
fn animated_webp(width: u16, height: u16) -> Vec<u8> {
    let three = |value: u16| [(value - 1).to_le_bytes().as_slice(), &[0]].concat();
    let canvas = [three(width), three(height)].concat();
    let frame = |data: &[u8]| {
        let head = [&[0; 6][..], &canvas, &[100, 0, 0, 0]].concat();
        chunk(b"ANMF", &[&head, data].concat())
    };
    let still = webp(width, height);
    let body = [
        b"WEBP".to_vec(),
        chunk(b"VP8X", &[&[0b10, 0, 0, 0][..], &canvas].concat()),
        chunk(b"ANIM", &[0; 6]),
        frame(&still[12..]),
        frame(&chunk(b"VP8L", &[7; 40])),
    ];
    chunk(b"RIFF", &body.concat())
}

#[test]
fn each_format_is_read_and_large_pictures_are_reduced() {
    assert_eq!(size_of(&jpeg(100, 50, false)), (100, 50));
    assert_eq!(size_of(&jpeg(100, 50, true)), (100, 50));
    assert_eq!(size_of(&png(100, 50, ::png::ColorType::Rgb, &rgb(100, 50))), (100, 50));
    assert_eq!(size_of(&webp(100, 50)), (100, 50));
    // At least the full size remains, and less than twice as much.
    for bytes in
        [jpeg(3300, 100, false), png(3300, 100, ::png::ColorType::Rgb, &rgb(3300, 100)), webp(3300, 100)]
    {
        assert_eq!(size_of(&bytes), (1650, 50));
    }
}

#[test]
fn a_rendition_has_all_sizes_upright_and_no_metadata() {
    // 6: the camera was turned, so that the left of the file is the top of the picture.
    let taken = with_exif(&jpeg(1800, 90, false), 6);
    let rendition = Rendition::of(source(&taken)).unwrap();
    assert_eq!((rendition.width, rendition.height), (80, 1600));
    let Rendition { full, medium, thumbnail, .. } = &rendition;
    for (jpeg, size) in [(full, (80, 1600)), (medium, (40, 800)), (thumbnail, (20, 400))] {
        let pixels = decode(source(jpeg)).unwrap();
        assert_eq!((pixels.width, pixels.height), size);
        let (top, bottom) = (&pixels.rgb[..3], &pixels.rgb[pixels.rgb.len() - 3..]);
        assert!(top[0] > 150 && top[2] < 50 && bottom[0] < 50 && bottom[2] > 150, "{top:?} {bottom:?}");
        for secret in [&b"Exif"[..], b"GPS-SECRET"] {
            assert!(!jpeg.windows(secret.len()).any(|window| window == secret));
        }
    }
}

#[test]
fn what_is_transparent_becomes_white() {
    let pixels = decode(source(&png(2, 1, ::png::ColorType::Rgba, &[9, 9, 9, 0, 9, 9, 9, 255]))).unwrap();
    assert_eq!(pixels.rgb, [255, 255, 255, 9, 9, 9]);
    let pixels = decode(source(&png(2, 1, ::png::ColorType::Grayscale, &[0, 77]))).unwrap();
    assert_eq!(pixels.rgb, [0, 0, 0, 77, 77, 77]);
}

#[test]
fn an_opaque_webp_without_loss_keeps_its_colours() {
    // Its pixels are stored with an alpha channel, which the header declares to mean nothing.
    let mut declared_opaque = Vec::new();
    let encoder = WebPEncoder::new(&mut declared_opaque);
    encoder.encode(&[[200, 0, 0, 7], [0, 0, 200, 255]].concat(), 2, 1, WebpColor::Rgba8).unwrap();
    declared_opaque[24] &= !0x10;
    let extended =
        [b"WEBP".to_vec(), chunk(b"VP8X", &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0]), webp(2, 1)[12..].to_vec()];
    for bytes in [webp(2, 1), declared_opaque, chunk(b"RIFF", &extended.concat())] {
        assert_eq!(decode(source(&bytes)).unwrap().rgb, [200, 0, 0, 0, 0, 200]);
    }
}

#[test]
fn an_animation_is_its_first_frame() {
    let bytes = animated_webp(60, 30);
    let pixels = decode(source(&bytes)).unwrap();
    assert_eq!((pixels.width, pixels.height), (60, 30));
    // Blending rounds.
    assert!(pixels.rgb[0] >= 199 && pixels.rgb[2] == 0, "{:?}", &pixels.rgb[..3]);
}

/// A picture of one colour in each format, with a profile.
fn with_profile(colour: [u8; 3], profile: &[u8]) -> [Vec<u8>; 3] {
    let rgb = colour.repeat(32 * 32);
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, 95);
    encoder.add_icc_profile(profile).unwrap();
    encoder.encode(&rgb, 32, 32, JpegColor::Rgb).unwrap();
    let mut png = Vec::new();
    let mut info = ::png::Info::with_size(32, 32);
    info.color_type = ::png::ColorType::Rgb;
    info.icc_profile = Some(profile.to_vec().into());
    let encoder = ::png::Encoder::with_info(&mut png, info).unwrap();
    encoder.write_header().unwrap().write_image_data(&rgb).unwrap();
    let mut webp = Vec::new();
    let mut encoder = WebPEncoder::new(&mut webp);
    encoder.set_icc_profile(profile.to_vec());
    encoder.encode(&rgb, 32, 32, WebpColor::Rgb8).unwrap();
    [jpeg, png, webp]
}

#[track_caller]
fn assert_kept_as(picture: &[u8], expected: [u8; 3]) {
    let Rendition { full, thumbnail, .. } = Rendition::of(source(picture)).unwrap();
    for kept in [full, thumbnail] {
        let pixels = decode(source(&kept)).unwrap();
        let shown = &pixels.rgb[..3];
        let is_near = shown.iter().zip(expected).all(|(shown, expected)| shown.abs_diff(expected) <= 4);
        assert!(is_near, "{shown:?} instead of {expected:?}");
    }
}

#[test]
fn colours_of_a_wide_space_are_kept_as_those_of_srgb() {
    for (profile, expected) in [
        (ColorProfile::new_display_p3(), [217, 42, 52]),
        (ColorProfile::new_adobe_rgb(), [232, 57, 57]),
        (ColorProfile::new_srgb(), [200, 60, 60]),
    ] {
        for picture in with_profile([200, 60, 60], &profile.encode().unwrap()) {
            assert_kept_as(&picture, expected);
        }
    }
}

#[test]
fn a_profile_that_can_t_be_read_changes_nothing() {
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let grey = ColorProfile::new_gray_with_gamma(1.8).encode().unwrap();
    for profile in [&p3[..p3.len() / 2], &grey, b"no profile"] {
        for picture in with_profile([200, 60, 60], profile) {
            assert_kept_as(&picture, [200, 60, 60]);
        }
    }
    for at in 0..p3.len() {
        let mut damaged = p3.clone();
        damaged[at] ^= 0xa5;
        let [jpeg, ..] = with_profile([200, 60, 60], &damaged);
        assert_eq!(size_of(&jpeg), (32, 32));
    }
}

#[test]
fn other_files_are_not_pictures_whatever_they_say() {
    let others: [&[u8]; 7] = [
        b"",
        b"\xff\xd8\xff",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!DOCTYPE html><script>alert(1)</script>",
        b"PK\x03\x04\x14\0\0\0\x08\0 a zip file",
        b"GIF89a\x01\0\x01\0\0\0\0;\0\0\0",
        b"\0\0\0\x20ftypmp42\0\0\0\0isom",
    ];
    for other in others {
        assert!(matches!(error_of(other), InvalidImage::UnknownFormat), "{}", String::from_utf8_lossy(other));
    }
}

#[test]
fn pictures_of_phones_are_named() {
    for brand in ["heic", "heix", "mif1"] {
        let file = format!("\0\0\0\u{20}ftyp{brand}\0\0\0\0mif1");
        assert!(matches!(error_of(file.as_bytes()), InvalidImage::Heic), "{brand}");
    }
    assert!(matches!(error_of(b"\0\0\0\x20ftypavif\0\0\0\0mif1"), InvalidImage::Avif));
}

#[test]
fn a_jpeg_without_its_end_mark_is_kept_and_one_without_its_last_rows_is_not() {
    for progressive in [false, true] {
        let whole = jpeg(600, 400, progressive);
        let end = whole.len() - 2;
        assert_eq!(whole[end..], [0xff, 0xd9]);
        assert_eq!(size_of(&whole[..end]), size_of(&whole), "{progressive}");
        for cut in [end - 16, end / 2] {
            assert!(
                matches!(error_of(&whole[..cut]), InvalidImage::Damaged),
                "{progressive}, {cut} of {end}"
            );
        }
    }
}

#[test]
fn incomplete_pictures_are_damaged() {
    let pictures = [
        jpeg(600, 400, false),
        jpeg(600, 400, true),
        png(60, 40, ::png::ColorType::Rgb, &rgb(60, 40)),
        webp(60, 40),
    ];
    for picture in pictures {
        for length in [picture.len() / 4, picture.len() / 2, picture.len() - 20] {
            let error = error_of(&picture[..length]);
            assert!(matches!(error, InvalidImage::Damaged), "{length} of {}: {error}", picture.len());
        }
    }
}

#[test]
fn a_picture_with_too_many_pixels_is_refused_before_it_is_read() {
    let mut large = png(1, 1, ::png::ColorType::Grayscale, &[0]);
    let side = 30_000_u32.to_be_bytes();
    large[16..20].copy_from_slice(&side);
    large[20..24].copy_from_slice(&side);
    let checksum = crc32(&large[12..29]).to_be_bytes();
    large[29..33].copy_from_slice(&checksum);
    assert!(matches!(error_of(&large), InvalidImage::TooManyPixels));
    let mut large = jpeg(8, 8, false);
    let frame = large.windows(2).position(|mark| mark == [0xff, 0xc0]).unwrap();
    large[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
    assert!(matches!(error_of(&large), InvalidImage::TooManyPixels));
}

#[test]
fn a_picture_that_takes_too_much_memory_is_refused_before_it_is_read() {
    // 48 megapixels. An animation holds several pictures.
    let mut large = animated_webp(8, 8);
    large[24..30].copy_from_slice(&[0x3f, 0x1f, 0, 0x6f, 0x17, 0]);
    assert!(matches!(error_of(&large), InvalidImage::TooMuchMemory));
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[test]
fn damaged_bytes_never_panic() {
    let pictures = [
        jpeg(32, 32, false),
        jpeg(32, 32, true),
        png(32, 32, ::png::ColorType::Rgb, &rgb(32, 32)),
        webp(32, 32),
        animated_webp(32, 32),
    ];
    for picture in pictures {
        for at in 12..picture.len() {
            let mut damaged = picture.clone();
            damaged[at] ^= 0xa5;
            let _ = decode(source(&damaged));
        }
    }
}

#[test]
fn a_picture_that_takes_too_long_is_given_up() {
    let clock = Arc::new(ManualClock::at("2026-05-01T18:00:00Z".parse().unwrap()));
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&jpeg(600, 400, true)).unwrap();
    file.rewind().unwrap();
    let source = ImageSource::new(file, Arc::clone(&clock) as _);
    clock.set(clock.now().plus_seconds(SECONDS_MAX + 1));
    assert!(matches!(jpeg_decoded(BufReader::new(source)), Err(InvalidImage::TooSlow)));
}

#[test]
fn a_rendition_of_a_rendition_has_its_sizes() {
    let rendition = Rendition::of(source(&jpeg(2000, 100, false))).unwrap();
    let again = Rendition::of(source(&rendition.full)).unwrap();
    assert_eq!((again.width, again.height), ImageSize::Full.fit(2000, 100));
}

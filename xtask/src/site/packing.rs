//! Compressing once, at build time and as hard as possible, what is served many times.

use std::fs;
use std::io::Write;
use std::path::Path;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Asset, write_if_changed};
use crate::failure::{OnPath, Outcome};

/// Writes an asset and its packed forms, and gives the names of all of them. A form that would not be
/// smaller is left out. As names bear the hash of their contents, an asset that is there needs nothing.
pub fn write(pkg: &Path, asset: &Asset) -> Outcome<Vec<String>> {
    let path = pkg.join(&asset.name);
    if !fs::read(&path).is_ok_and(|old| old == asset.bytes) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).on("create", folder)?;
        }
        for (ending, packed) in [("br", brotli(&asset.bytes, &path)?), ("gz", gzip(&asset.bytes, &path)?)] {
            let packed_path = pkg.join(format!("{}.{ending}", asset.name));
            if packed.len() < asset.bytes.len() {
                write_if_changed(&packed_path, &packed)?;
            }
        }
        // Last, as its presence says that the others are complete.
        write_if_changed(&path, &asset.bytes)?;
    }
    Ok(forms(pkg, &asset.name))
}

/// An asset's name with those of its packed forms that exist.
pub fn forms(pkg: &Path, name: &str) -> Vec<String> {
    [name.to_owned(), format!("{name}.br"), format!("{name}.gz")]
        .into_iter()
        .filter(|form| pkg.join(form).is_file())
        .collect()
}

/// As small as brotli makes it.
pub fn brotli(bytes: &[u8], path: &Path) -> Outcome<Vec<u8>> {
    // The window is the largest that every browser takes.
    let params = BrotliEncoderParams { quality: 11, lgwin: 24, size_hint: bytes.len(), ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &params).on("compress", path)?;
    Ok(packed)
}

fn gzip(bytes: &[u8], path: &Path) -> Outcome<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).on("compress", path)?;
    encoder.finish().on("compress", path)
}

//! Compression at build time, with the slowest and best settings, of files that are served many times.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Asset, write_if_changed};
use crate::path_context::PathContext;

/// Writes an asset and its compressed copies, and returns the names of all. A copy that is not smaller is left out. An
/// asset that exists is not written again, because its name contains the hash of its content.
pub fn write(pkg: &Path, asset: &Asset) -> Result<Vec<String>> {
    let path = pkg.join(&asset.name);
    if !fs::read(&path).is_ok_and(|old| old == asset.bytes) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).on_path("create", folder)?;
        }
        for (extension, compressed) in
            [("br", brotli(&asset.bytes, &path)?), ("gz", gzip(&asset.bytes, &path)?)]
        {
            let copy = pkg.join(format!("{}.{extension}", asset.name));
            if compressed.len() < asset.bytes.len() {
                write_if_changed(&copy, &compressed)?;
            }
        }
        // Written last: if the asset exists, its copies are complete.
        write_if_changed(&path, &asset.bytes)?;
    }
    Ok(copies(pkg, &asset.name))
}

/// The names of an asset and of its compressed copies, as far as the files exist.
pub fn copies(pkg: &Path, name: &str) -> Vec<String> {
    [name.to_owned(), format!("{name}.br"), format!("{name}.gz")]
        .into_iter()
        .filter(|copy| pkg.join(copy).is_file())
        .collect()
}

pub fn brotli(bytes: &[u8], path: &Path) -> Result<Vec<u8>> {
    // The largest window that every browser supports.
    let params = BrotliEncoderParams { quality: 11, lgwin: 24, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params).on_path("compress", path)?;
    Ok(compressed)
}

fn gzip(bytes: &[u8], path: &Path) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).on_path("compress", path)?;
    encoder.finish().on_path("compress", path)
}

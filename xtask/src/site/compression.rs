//! Compression at build time, with the slowest and best settings, of files that are served many times.

use std::fs;
use std::path::Path;

use anyhow::Result;
use brotli::enc::BrotliEncoderParams;

use super::{Asset, write_if_changed};
use crate::path_context::PathContext;

/// Writes an asset compressed, or as it is where that is not smaller, and returns the name of the file. The
/// name of an asset contains the hash of its content, so that a file which exists is not compressed again.
pub fn write(pkg: &Path, asset: &Asset) -> Result<String> {
    if let Some(name) = written(pkg, &asset.name) {
        return Ok(name);
    }
    let path = pkg.join(&asset.name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).on_path("create", folder)?;
    }
    let compressed = brotli(&asset.bytes, &path)?;
    if compressed.len() < asset.bytes.len() {
        write_if_changed(&pkg.join(compressed_name(&asset.name)), &compressed)?;
        return Ok(compressed_name(&asset.name));
    }
    write_if_changed(&path, &asset.bytes)?;
    Ok(asset.name.clone())
}

/// The name of the file that holds an asset, if it exists.
pub fn written(pkg: &Path, name: &str) -> Option<String> {
    [compressed_name(name), name.to_owned()].into_iter().find(|file| pkg.join(file).is_file())
}

fn compressed_name(name: &str) -> String {
    format!("{name}.br")
}

pub fn brotli(bytes: &[u8], path: &Path) -> Result<Vec<u8>> {
    // The largest window that every browser supports.
    let params = BrotliEncoderParams { quality: 11, lgwin: 24, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params).on_path("compress", path)?;
    Ok(compressed)
}

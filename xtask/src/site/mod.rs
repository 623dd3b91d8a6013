//! The folder that the server embeds: `pkg/` with files that bear the hash of their contents in their name,
//! each also compressed, and a manifest that says which they are.

mod bundle;
mod packing;
mod styles;

pub use packing::brotli;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::failure::{Failure, OnPath, Outcome};
use crate::workspace::Workspace;

/// What the glue and the module may weigh together when brotli has packed them. Every page with something
/// alive on it loads both, so this is what a bidder on a phone waits for.
pub const BUNDLE_LIMIT: u64 = 200_000;

/// One file of `pkg/`.
pub struct Asset {
    /// Relative to `pkg/`, with forward slashes.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The first 16 hexadecimal digits of SHA-256 over all parts.
pub fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

pub fn build(workspace: &Workspace) -> Outcome<()> {
    let site = workspace.site();
    let pkg = site.join("pkg");
    fs::create_dir_all(&pkg).on("create", &pkg)?;

    let bundle = bundle::build(workspace, &pkg)?;
    let begun = Instant::now();
    let css = styles::build(&workspace.root.join("style"))?;
    let favicon = favicon(&workspace.root.join("style/favicon.svg"))?;
    println!("styles: {} ({:.1} s)", css.name, begun.elapsed().as_secs_f64());

    let manifest = json!({
        "outputName": bundle.output_name,
        "css": format!("pkg/{}", css.name),
        "favicon": format!("pkg/{}", favicon.name),
    });
    let mut keep: BTreeSet<String> = bundle.kept;
    for asset in bundle.fresh.iter().chain([&css, &favicon]) {
        keep.extend(packing::write(&pkg, asset)?);
    }
    remove_stale(&pkg, &pkg, &keep)?;
    write_if_changed(&site.join("manifest.json"), format!("{manifest}\n").as_bytes())?;
    bundle::check_size(&pkg, &bundle.output_name)
}

/// What the bundle of the last build weighs, packed by brotli.
pub fn bundle_weight(workspace: &Workspace) -> Outcome<u64> {
    let manifest = workspace.site().join("manifest.json");
    let text = fs::read_to_string(&manifest).on("read", &manifest)?;
    let manifest: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("the site's manifest is no JSON: {error}")))?;
    let output_name = manifest["outputName"].as_str().unwrap_or_default();
    Ok(bundle::weights(&workspace.site().join("pkg"), output_name)?.brotli)
}

fn favicon(path: &Path) -> Outcome<Asset> {
    let bytes = fs::read(path).on("read", path)?;
    Ok(Asset { name: format!("favicon-{}.svg", hash(&[&bytes])), bytes })
}

/// A file that stays as it is keeps its time, and cargo its belief that the server is up to date.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Outcome<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    // Written beside and renamed: a build that is interrupted leaves no half file under a name that says
    // what it holds.
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, bytes).on("write", Path::new(&beside))?;
    fs::rename(&beside, path).on("write", path)
}

/// Removes what former builds left, as the server would embed it too.
fn remove_stale(pkg: &Path, folder: &Path, keep: &BTreeSet<String>) -> Outcome<()> {
    for entry in fs::read_dir(folder).on("read", folder)? {
        let path = entry.on("read", folder)?.path();
        if path.is_dir() {
            remove_stale(pkg, &path, keep)?;
            // Fails while something is left in it, and then it shall stay.
            let _ = fs::remove_dir(&path);
        } else if !keep.contains(&relative(pkg, &path)?) {
            fs::remove_file(&path).on("remove", &path)?;
        }
    }
    Ok(())
}

fn relative(base: &Path, path: &Path) -> Outcome<String> {
    let inner = path
        .strip_prefix(base)
        .map_err(|_| Failure::new(format!("{} is not in {}", path.display(), base.display())))?;
    let parts: Vec<_> = inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(parts.join("/"))
}

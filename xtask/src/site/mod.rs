//! The folder that the server embeds: `pkg/`, whose file names contain the hash of the contents, `api-docs/`,
//! and a manifest with the names in use. What brotli makes smaller is there in this form only, with the
//! extension `.br`.

mod api_docs;
mod bundle;
mod compression;
mod scripts;
pub mod shrink;
mod styles;

pub use bundle::{BUNDLES, Islands, all_features};
pub use compression::brotli;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::path_context::PathContext;
use crate::workspace::Workspace;
use bundle::BuiltBundle;

/// A file of `pkg/`.
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

pub fn build(workspace: &Workspace) -> Result<()> {
    let site = workspace.site();
    let pkg = site.join("pkg");
    fs::create_dir_all(&pkg).on_path("create", &pkg)?;

    let bundles = BUNDLES.iter().map(|bundle| bundle::build(workspace, &pkg, bundle));
    let bundles = bundles.collect::<Result<Vec<_>>>()?;
    let started = Instant::now();
    let style = workspace.root.join("style");
    let font = file(&style.join("fonts/serif.woff2"), "serif", "woff2")?;
    let css = styles::build(&style, &font)?;
    let favicon = file(&style.join("favicon.svg"), "favicon", "svg")?;
    let icon = file(&style.join("icon.png"), "icon", "png")?;
    let web_manifest = web_manifest(&favicon, &icon);
    let scripts = scripts::build(&workspace.root.join("app/src"))?;
    println!("styles: {} ({:.1} s)", css.name, started.elapsed().as_secs_f64());

    let output_names: BTreeMap<_, _> =
        BUNDLES.iter().zip(&bundles).map(|(bundle, built)| (bundle.name, &built.output_name)).collect();
    let script_files =
        scripts.iter().map(|(name, script)| (name.as_str(), &script.asset, &script.imports[..]));
    let others = [
        ("farthing.css", &css),
        ("favicon.svg", &favicon),
        ("serif.woff2", &font),
        ("icon.png", &icon),
        ("manifest.webmanifest", &web_manifest),
    ];
    let files: Vec<_> =
        others.map(|(name, asset)| (name, asset, &[][..])).into_iter().chain(script_files).collect();
    let in_manifest: BTreeMap<_, _> =
        files.iter().map(|(name, asset, imports)| (*name, described(asset, imports))).collect();
    let manifest = json!({"bundles": output_names, "files": in_manifest});
    let mut keep: BTreeSet<String> = bundles.iter().flat_map(|built| built.reused.clone()).collect();
    let generated = bundles.iter().flat_map(|built| &built.generated);
    for asset in generated.chain(files.iter().map(|(_, asset, _)| *asset)) {
        keep.insert(compression::write(&pkg, asset)?);
    }
    remove_stale(&pkg, &pkg, &keep)?;
    api_docs::write(&site.join("api-docs"))?;
    write_if_changed(&site.join("manifest.json"), format!("{manifest}\n").as_bytes())?;
    let check = |(bundle, built): (_, &BuiltBundle)| bundle::check_size(&pkg, bundle, &built.output_name);
    BUNDLES.iter().zip(&bundles).try_for_each(check)
}

/// Size of a bundle as it was built last, compressed by brotli.
pub fn bundle_size(workspace: &Workspace, bundle: &Islands) -> Result<u64> {
    let manifest = workspace.site().join("manifest.json");
    let text = fs::read_to_string(&manifest).on_path("read", &manifest)?;
    let manifest: serde_json::Value =
        serde_json::from_str(&text).context("the site's manifest is not valid JSON")?;
    let output_name = manifest["bundles"][bundle.name].as_str().unwrap_or_default();
    bundle::size(&workspace.site().join("pkg"), output_name)
}

/// An entry of the manifest: the address of a file, and those of the modules that it imports.
fn described(asset: &Asset, imports: &[String]) -> serde_json::Value {
    let address = |name: &String| format!("/pkg/{name}");
    json!({"address": address(&asset.name), "imports": imports.iter().map(address).collect::<Vec<_>>()})
}

/// What a browser needs to install the site as an application.
fn web_manifest(favicon: &Asset, icon: &Asset) -> Asset {
    let manifest = json!({
        "name": "Farthing",
        "description": "Auctions in any currency you can define",
        "start_url": "/auctions",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": "#fbf9f4",
        "theme_color": "#fbf9f4",
        "icons": [
            {"src": favicon.name, "sizes": "any", "type": "image/svg+xml"},
            {"src": icon.name, "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
        ],
    });
    let bytes = manifest.to_string().into_bytes();
    Asset { name: format!("manifest-{}.webmanifest", hash(&[&bytes])), bytes }
}

/// A file that is served as it is.
fn file(path: &Path, stem: &str, extension: &str) -> Result<Asset> {
    let bytes = fs::read(path).on_path("read", path)?;
    Ok(Asset { name: format!("{stem}-{}.{extension}", hash(&[&bytes])), bytes })
}

/// Writes a file unless it already has this content: a new modification time would make cargo rebuild the
/// server.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    // An interrupted build must not leave half a file under a name that contains the hash of the whole.
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    fs::write(&temporary, bytes).on_path("write", Path::new(&temporary))?;
    fs::rename(&temporary, path).on_path("write", path)
}

/// Removes files of earlier builds, which the server would embed as well.
fn remove_stale(pkg: &Path, folder: &Path, keep: &BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder).on_path("read", folder)? {
        let path = entry.on_path("read", folder)?.path();
        if path.is_dir() {
            remove_stale(pkg, &path, keep)?;
            // Fails for a folder that is not empty, which is to stay.
            let _ = fs::remove_dir(&path);
        } else if !keep.contains(&relative(pkg, &path)?) {
            fs::remove_file(&path).on_path("remove", &path)?;
        }
    }
    Ok(())
}

fn relative(base: &Path, path: &Path) -> Result<String> {
    let inner = path
        .strip_prefix(base)
        .with_context(|| format!("{} is not in {}", path.display(), base.display()))?;
    let parts: Vec<_> = inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(parts.join("/"))
}

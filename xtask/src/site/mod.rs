//! The folder that the server embeds: `pkg/`, whose file names contain the hash of the contents, `api-docs/`,
//! and a manifest with the names in use. What brotli makes smaller is there in this form only, with the
//! extension `.br`.

mod api_docs;
mod bundle;
mod compression;
pub mod shrink;
mod styles;

pub use bundle::{BUNDLES, Bundle};
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
    let scripts = workspace.root.join("app/src");
    let page_script = script(&scripts, "page")?;
    let pictures_script = script(&scripts, "pictures")?;
    let reduce_script = script(&scripts, "reduce")?;
    let gallery_script = script(&scripts, "gallery")?;
    let lots_script = script(&scripts, "lots")?;
    let order_script = script(&scripts, "order")?;
    let next_script = script(&scripts, "next")?;
    let checkout_script = script(&scripts, "checkout")?;
    let live_script = script(&scripts, "live")?;
    let outbox_script = script(&scripts, "outbox")?;
    let unsent_script = script(&scripts, "unsent")?;
    let worker_script = script(&scripts, "worker")?;
    println!("styles: {} ({:.1} s)", css.name, started.elapsed().as_secs_f64());

    let output_names: BTreeMap<_, _> =
        BUNDLES.iter().zip(&bundles).map(|(bundle, built)| (bundle.name, &built.output_name)).collect();
    let manifest = json!({
        "bundles": output_names,
        "css": format!("pkg/{}", css.name),
        "favicon": format!("pkg/{}", favicon.name),
        "lotsScript": format!("pkg/{}", lots_script.name),
        "orderScript": format!("pkg/{}", order_script.name),
        "nextScript": format!("pkg/{}", next_script.name),
        "checkoutScript": format!("pkg/{}", checkout_script.name),
        "liveScript": format!("pkg/{}", live_script.name),
        "outboxScript": format!("pkg/{}", outbox_script.name),
        "unsentScript": format!("pkg/{}", unsent_script.name),
        "workerScript": format!("pkg/{}", worker_script.name),
        "font": format!("pkg/{}", font.name),
        "icon": format!("pkg/{}", icon.name),
        "webManifest": format!("pkg/{}", web_manifest.name),
        "pageScript": format!("pkg/{}", page_script.name),
        "picturesScript": format!("pkg/{}", pictures_script.name),
        "reduceScript": format!("pkg/{}", reduce_script.name),
        "galleryScript": format!("pkg/{}", gallery_script.name),
    });
    let mut keep: BTreeSet<String> = bundles.iter().flat_map(|built| built.reused.clone()).collect();
    let generated = bundles.iter().flat_map(|built| &built.generated);
    for asset in generated.chain([
        &css,
        &favicon,
        &font,
        &icon,
        &page_script,
        &live_script,
        &lots_script,
        &order_script,
        &next_script,
        &checkout_script,
        &outbox_script,
        &unsent_script,
        &worker_script,
        &pictures_script,
        &reduce_script,
        &gallery_script,
        &web_manifest,
    ]) {
        keep.insert(compression::write(&pkg, asset)?);
    }
    remove_stale(&pkg, &pkg, &keep)?;
    api_docs::write(&site.join("api-docs"))?;
    write_if_changed(&site.join("manifest.json"), format!("{manifest}\n").as_bytes())?;
    let check = |(bundle, built): (_, &BuiltBundle)| bundle::check_size(&pkg, bundle, &built.output_name);
    BUNDLES.iter().zip(&bundles).try_for_each(check)
}

/// Size of a bundle as it was built last, compressed by brotli.
pub fn bundle_size(workspace: &Workspace, bundle: &Bundle) -> Result<u64> {
    let manifest = workspace.site().join("manifest.json");
    let text = fs::read_to_string(&manifest).on_path("read", &manifest)?;
    let manifest: serde_json::Value =
        serde_json::from_str(&text).context("the site's manifest is not valid JSON")?;
    let output_name = manifest["bundles"][bundle.name].as_str().unwrap_or_default();
    bundle::size(&workspace.site().join("pkg"), output_name)
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

/// A script without indentation and without lines that are only a comment. It has no text of several lines.
fn script(folder: &Path, stem: &str) -> Result<Asset> {
    let path = folder.join(format!("{stem}.js"));
    let text = fs::read_to_string(&path).on_path("read", &path)?;
    let code = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let bytes = code.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes();
    Ok(Asset { name: format!("{stem}-{}.js", hash(&[&bytes])), bytes })
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

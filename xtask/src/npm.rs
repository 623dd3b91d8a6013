//! The rules engine's npm package: its module and the JavaScript that wasm-bindgen generates for it, as
//! `wasm-pack build` would, with the workspace's own wasm-bindgen.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::path_context::PathContext;
use crate::site;
use crate::wasm;
use crate::workspace::Workspace;

/// Largest size of module and JavaScript in bytes, compressed by brotli.
pub const LIMIT: u64 = 76_000;
const NAME: &str = "rules-engine-wasm";
const STEM: &str = "rules_engine_wasm";

/// What loads the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PackageLoader {
    /// A browser, without a build step
    Web,
    /// Webpack or a similar bundler
    Bundler,
    /// Node's `require`
    Nodejs,
}

impl PackageLoader {
    fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Bundler => "bundler",
            Self::Nodejs => "nodejs",
        }
    }
}

/// Builds the package into `target/npm/<kind>` and returns that folder.
pub fn build(workspace: &Workspace, kind: PackageLoader) -> Result<PathBuf> {
    let module = wasm::build(workspace, NAME, &[])?;
    let folder = workspace.target.join("npm").join(kind.name());
    // Files of an older version would be published, too.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on_path("create", &folder)?;
    let mut bindgen = wasm::bindgen(STEM, module);
    bindgen.typescript(true);
    match kind {
        PackageLoader::Web => bindgen.web(true)?,
        PackageLoader::Bundler => bindgen.bundler(true)?,
        PackageLoader::Nodejs => bindgen.nodejs(true)?,
    };
    bindgen.generate(&folder)?;
    strip_scripts(&folder)?;
    site::write_if_changed(&folder.join("package.json"), package_json(kind).as_bytes())?;
    Ok(folder)
}

/// Removes the comments of the generated JavaScript. The types beside it have them, too.
fn strip_scripts(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).on_path("read", folder)? {
        let path = entry.on_path("read", folder)?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let script = fs::read_to_string(&path).on_path("read", &path)?;
            fs::write(&path, site::shrink::strip(&script)).on_path("write", &path)?;
        }
    }
    Ok(())
}

/// Builds the package. A package over the limit is an error.
pub fn build_within_limit(workspace: &Workspace, kind: PackageLoader) -> Result<()> {
    let folder = build(workspace, kind)?;
    let size = size(&folder)?;
    println!("npm: {}, {size} bytes (brotli) of at most {LIMIT}", folder.display());
    if size > LIMIT {
        bail!("the npm package is {} bytes over its limit", size - LIMIT);
    }
    Ok(())
}

/// Size in bytes of what a browser loads: module and JavaScript, compressed by brotli.
pub fn size(folder: &Path) -> Result<u64> {
    let compressed = |file: String| {
        let path = folder.join(file);
        let bytes = fs::read(&path).on_path("read", &path)?;
        Ok::<_, anyhow::Error>(site::brotli(&bytes, &path)?.len() as u64)
    };
    Ok(compressed(format!("{STEM}.js"))? + compressed(format!("{STEM}_bg.wasm"))?)
}

fn package_json(kind: PackageLoader) -> String {
    let mut package = serde_json::json!({
        "name": NAME,
        "description": "The npm package of the rules engine",
        "version": env!("CARGO_PKG_VERSION"),
        "license": env!("CARGO_PKG_LICENSE"),
        "main": format!("{STEM}.js"),
        "types": format!("{STEM}.d.ts"),
    });
    if kind != PackageLoader::Nodejs {
        package["type"] = "module".into();
    }
    format!("{package:#}\n")
}

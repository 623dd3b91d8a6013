//! The engine's npm package: its module and the glue that wasm-bindgen writes for it, as `wasm-pack build` does,
//! with the workspace's own wasm-bindgen.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use wasm_bindgen_cli_support::Bindgen;

use crate::failure::{Failure, OnPath, Outcome};
use crate::process;
use crate::site;
use crate::workspace::{BROWSER_TARGET, Workspace};

/// Module and glue, compressed by brotli.
pub const LIMIT: u64 = 38_000;
const STEM: &str = "rules_engine_wasm";

/// Who is to load the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A browser, without a build step
    Web,
    /// Webpack and its like
    Bundler,
    /// Node's `require`
    Nodejs,
}

/// Builds the package into `target/npm/<kind>`, and gives that folder.
pub fn build(workspace: &Workspace, kind: Kind) -> Outcome<PathBuf> {
    process::run(workspace.cargo().args([
        "build",
        "--profile=wasm",
        "--target",
        BROWSER_TARGET,
        "--package=rules-engine-wasm",
        "--lib",
    ]))?;
    let module = workspace.target.join(BROWSER_TARGET).join("wasm").join(format!("{STEM}.wasm"));
    let bytes = fs::read(&module).on("read", &module)?;
    let folder = workspace.target.join("npm").join(name(kind));
    // What an older version has left would be published, too.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on("create", &folder)?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes(STEM, bytes)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    let mode = match kind {
        Kind::Web => bindgen.web(true),
        Kind::Bundler => bindgen.bundler(true),
        Kind::Nodejs => bindgen.nodejs(true),
    };
    mode.and_then(|bindgen| bindgen.generate(&folder))
        .map_err(|error| Failure::new(format!("wasm-bindgen: {error:#}")))?;
    let description = folder.join("package.json");
    fs::write(&description, describe(kind)).on("write", &description)?;
    Ok(folder)
}

/// Builds the package, and refuses one that has grown past its limit.
pub fn check(workspace: &Workspace, kind: Kind) -> Outcome<()> {
    let folder = build(workspace, kind)?;
    let weight = weight(&folder)?;
    println!("npm: {}, {weight} bytes (brotli) of at most {LIMIT}", folder.display());
    if weight > LIMIT {
        return Err(Failure::new(format!("the npm package has {} bytes too many", weight - LIMIT)));
    }
    Ok(())
}

/// Bytes of module and glue as a browser loads them, compressed by brotli.
pub fn weight(web: &Path) -> Outcome<u64> {
    let packed = |file: String| {
        let path = web.join(file);
        let bytes = fs::read(&path).on("read", &path)?;
        Ok(site::brotli(&bytes, &path)?.len() as u64)
    };
    Ok(packed(format!("{STEM}.js"))? + packed(format!("{STEM}_bg.wasm"))?)
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Web => "web",
        Kind::Bundler => "bundler",
        Kind::Nodejs => "nodejs",
    }
}

/// The package as npm knows it.
fn describe(kind: Kind) -> String {
    let mut description = serde_json::json!({
        "name": "rules-engine-wasm",
        "description": "The npm package of the rules engine",
        "version": env!("CARGO_PKG_VERSION"),
        "license": env!("CARGO_PKG_LICENSE"),
        "main": format!("{STEM}.js"),
        "types": format!("{STEM}.d.ts"),
    });
    if kind != Kind::Nodejs {
        description["type"] = "module".into();
    }
    format!("{description:#}\n")
}

//! WebAssembly modules, and wasm-bindgen, which generates their JavaScript.

use std::fs;

use anyhow::Result;
use wasm_bindgen_cli_support::Bindgen;

use crate::path_context::PathContext;
use crate::process;
use crate::workspace::{BROWSER_TARGET, Workspace};

/// Arguments of every call of cargo that compiles for the browser.
pub const FOR_BROWSER: &[&str] = &["--release", "--config=.cargo/browser.toml", "--target", BROWSER_TARGET];

/// Builds a package's library for the browser, optimized for size, and returns the module.
pub fn build(workspace: &Workspace, package: &str, features: &[&str]) -> Result<Vec<u8>> {
    // The library is a dynamic one here only: as a dependency it would wait for whole crates, not for their
    // metadata.
    process::run(
        workspace
            .cargo()
            .args(["rustc", "--lib", "--crate-type=cdylib", "--package", package])
            .args(FOR_BROWSER)
            .arg(format!("--features={}", features.join(",")))
            .args(["--", "-Clto=fat"])
            // Without it each bundle replaces the one before it, which has the same file name: 28 s in every
            // build.
            .env("__CARGO_DEFAULT_LIB_METADATA", "bundle"),
    )?;
    let file = format!("{}.wasm", package.replace('-', "_"));
    let module = workspace.target.join(BROWSER_TARGET).join("release").join(file);
    fs::read(&module).on_path("read", &module)
}

/// wasm-bindgen for a module, without the sections that only a debugger reads: function names are most
/// of the size.
pub fn bindgen(name: &str, module: Vec<u8>) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes(name, module).remove_name_section(true).remove_producers_section(true);
    bindgen
}

//! WebAssembly modules, and wasm-bindgen, which generates their JavaScript.

use std::fs;

use anyhow::Result;
use wasm_bindgen_cli_support::Bindgen;

use crate::path_context::PathContext;
use crate::process;
use crate::workspace::{BROWSER_TARGET, Workspace};

/// Builds a package's library for the browser, optimized for size, and returns the module.
pub fn build(workspace: &Workspace, package: &str, features: &[&str]) -> Result<Vec<u8>> {
    // The library is a dynamic one here only: as a dependency it would wait for whole crates, not for their
    // metadata.
    process::run(
        workspace
            .cargo()
            .args(["rustc", "--profile=wasm", "--target", BROWSER_TARGET, "--lib", "--crate-type=cdylib"])
            .args(["--package", package])
            .arg(format!("--features={}", features.join(",")))
            // Without it all bundles have one file name, and each replaces the one before it: 28 s in every build.
            .env("__CARGO_DEFAULT_LIB_METADATA", "bundle"),
    )?;
    let file = format!("{}.wasm", package.replace('-', "_"));
    let module = workspace.target.join(BROWSER_TARGET).join("wasm").join(file);
    fs::read(&module).on_path("read", &module)
}

/// wasm-bindgen for a module, without the sections that only a debugger reads: function names are most of the
/// size.
pub fn bindgen(name: &str, module: Vec<u8>) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes(name, module).remove_name_section(true).remove_producers_section(true);
    bindgen
}

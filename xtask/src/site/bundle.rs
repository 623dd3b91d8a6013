//! The browser's bundles: each has the islands of some pages as a WebAssembly module, and the JavaScript that
//! loads and hydrates them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::{Asset, compression, hash, shrink, write_if_changed};
use crate::path_context::PathContext;
use crate::wasm;
use crate::workspace::Workspace;

/// The islands of some pages. A page loads at most one bundle.
pub struct Islands {
    /// Also the feature of `app` that selects the islands.
    pub name: &'static str,
    /// Its row in the table of sizes.
    pub contents: &'static str,
    /// Largest size of module and JavaScript in bytes, compressed by brotli.
    pub limit: u64,
}

pub const BUNDLES: [Islands; 6] = [
    Islands { name: "bid", contents: "JavaScript and WebAssembly of the item page, brotli", limit: 186_900 },
    Islands { name: "follow", contents: "the same of lists and of one auction", limit: 120_000 },
    Islands { name: "bench", contents: "the same of the start page and of the test bench", limit: 145_000 },
    Islands { name: "clerk", contents: "the same of the page of a clerk", limit: 122_600 },
    Islands { name: "draw", contents: "the same of the page that checks a draw", limit: 60_000 },
    Islands { name: "pot", contents: "the same of the page that shares a pot", limit: 127_000 },
];

/// The features of `app` for the islands of all pages, separated by commas.
pub fn all_features() -> String {
    let names = BUNDLES.iter().map(|bundle| bundle.name);
    ["hydrate"].into_iter().chain(names).collect::<Vec<_>>().join(",")
}

pub struct BuiltBundle {
    pub output_name: String,
    /// Assets that this build generated.
    pub generated: Vec<Asset>,
    /// Names in `pkg/` of files that an earlier build generated from the same module.
    pub reused: BTreeSet<String>,
}

pub fn build(workspace: &Workspace, pkg: &Path, bundle: &Islands) -> Result<BuiltBundle> {
    let started = Instant::now();
    let module = wasm::build(workspace, "app", &["hydrate", bundle.name])?;
    let start_script = workspace.root.join("app/src/hydrate.js");
    let start_script = fs::read_to_string(&start_script).on_path("read", &start_script)?;
    let stamp = workspace.scratch()?.join(format!("bundle-{}", bundle.name));
    let inputs = format!("{} {}", hash(&[&module, start_script.as_bytes()]), tool_hash()?);
    let built = match earlier_build(&stamp, &inputs, pkg) {
        Some(built) => built,
        None => {
            let built = generate(bundle.name, module, &start_script)?;
            let names: Vec<&str> = built.generated.iter().map(|asset| asset.name.as_str()).collect();
            let lines = [&[inputs.as_str(), &built.output_name], names.as_slice()].concat().join("\n");
            write_if_changed(&stamp, lines.as_bytes())?;
            built
        }
    };
    println!("bundle: {} ({:.1} s)", built.output_name, started.elapsed().as_secs_f64());
    Ok(built)
}

/// The bundle of the last build, if that had the same module and the same tool.
fn earlier_build(stamp: &Path, inputs: &str, pkg: &Path) -> Option<BuiltBundle> {
    let text = fs::read_to_string(stamp).ok()?;
    let mut lines = text.lines();
    if lines.next() != Some(inputs) {
        return None;
    }
    let output_name = lines.next()?.to_owned();
    let mut reused = BTreeSet::new();
    for name in lines {
        reused.insert(compression::written(pkg, name)?);
    }
    Some(BuiltBundle { output_name, generated: Vec::new(), reused })
}

/// Hash of this tool, because another version may generate other JavaScript from the same module.
fn tool_hash() -> Result<String> {
    let own = std::env::current_exe().context("cannot find this tool's own file")?;
    Ok(hash(&[&fs::read(&own).on_path("read", &own)?]))
}

fn generate(name: &str, module: Vec<u8>, start_script: &str) -> Result<BuiltBundle> {
    let mut output = wasm::bindgen(name, module).web(true)?.typescript(false).generate_output()?;
    let inline = output.snippets().iter().filter(|(_, texts)| !texts.is_empty()).map(|(name, _)| name);
    if let Some(name) = inline.chain(output.local_modules().keys()).next() {
        bail!("the bundle needs a separate JavaScript file for {name}, which the site does not support");
    }
    let script = format!("{}\n{start_script}", output.js());
    let module = output.wasm_mut();
    let script = shrink::shrink(module, &script)?;
    let wasm = module.emit_wasm();
    let output_name = format!("{name}-{}", hash(&[script.as_bytes(), &wasm]));
    let generated = vec![
        Asset { name: format!("{output_name}.js"), bytes: script.into_bytes() },
        Asset { name: format!("{output_name}_bg.wasm"), bytes: wasm },
    ];
    Ok(BuiltBundle { output_name, generated, reused: BTreeSet::new() })
}

/// Size in bytes of module and JavaScript together, as they are served.
pub fn size(pkg: &Path, output_name: &str) -> Result<u64> {
    let size = |name: String| -> Result<u64> {
        let file = compression::written(pkg, &name).with_context(|| format!("{name} is missing"))?;
        let path = pkg.join(file);
        Ok(fs::metadata(&path).on_path("read", &path)?.len())
    };
    Ok(size(format!("{output_name}.js"))? + size(format!("{output_name}_bg.wasm"))?)
}

/// Prints the bundle's size. A bundle over its limit is an error.
pub fn check_size(pkg: &Path, bundle: &Islands, output_name: &str) -> Result<()> {
    let Islands { name, limit, .. } = bundle;
    let size = size(pkg, output_name)?;
    println!("bundle {name}: {size} bytes of at most {limit}, compressed by brotli");
    if size > *limit {
        bail!(
            "the bundle {name} is {} bytes over its limit: check what its islands newly depend on, and that the \
             toolchain lacks the component rust-src, whose paths the compiler would write into it",
            size - limit
        );
    }
    Ok(())
}

//! The browser's bundle: the pages' islands as a WebAssembly module, and the JavaScript that wasm-bindgen generates for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::{Asset, BUNDLE_LIMIT, compression, hash, write_if_changed};
use crate::path_context::PathContext;
use crate::wasm;
use crate::workspace::Workspace;

pub struct Bundle {
    pub output_name: String,
    /// Assets that this build generated.
    pub generated: Vec<Asset>,
    /// Names in `pkg/` of files that an earlier build generated from the same module.
    pub reused: BTreeSet<String>,
}

pub fn build(workspace: &Workspace, pkg: &Path) -> Result<Bundle> {
    let started = Instant::now();
    let module = wasm::build(workspace, "app", &["hydrate"])?;
    let stamp = workspace.scratch()?.join("bundle");
    let inputs = format!("{} {}", hash(&[&module]), tool_hash()?);
    let bundle = match earlier_build(&stamp, &inputs, pkg) {
        Some(bundle) => bundle,
        None => {
            let bundle = generate(module)?;
            let names: Vec<&str> = bundle.generated.iter().map(|asset| asset.name.as_str()).collect();
            let lines = [&[inputs.as_str(), &bundle.output_name], names.as_slice()].concat().join("\n");
            write_if_changed(&stamp, lines.as_bytes())?;
            bundle
        }
    };
    println!("bundle: {} ({:.1} s)", bundle.output_name, started.elapsed().as_secs_f64());
    Ok(bundle)
}

/// The bundle of the last build, if that had the same module and the same tool.
fn earlier_build(stamp: &Path, inputs: &str, pkg: &Path) -> Option<Bundle> {
    let text = fs::read_to_string(stamp).ok()?;
    let mut lines = text.lines();
    if lines.next() != Some(inputs) {
        return None;
    }
    let output_name = lines.next()?.to_owned();
    let mut reused = BTreeSet::new();
    for name in lines {
        let copies = compression::copies(pkg, name);
        if copies.first().map(String::as_str) != Some(name) {
            return None;
        }
        reused.extend(copies);
    }
    Some(Bundle { output_name, generated: Vec::new(), reused })
}

/// Hash of this tool, because another version may generate other JavaScript from the same module.
fn tool_hash() -> Result<String> {
    let own = std::env::current_exe().context("cannot find this tool's own file")?;
    Ok(hash(&[&fs::read(&own).on_path("read", &own)?]))
}

fn generate(module: Vec<u8>) -> Result<Bundle> {
    let mut output = wasm::bindgen("farthing", module).web(true)?.typescript(false).generate_output()?;
    let inline = output.snippets().iter().filter(|(_, texts)| !texts.is_empty()).map(|(name, _)| name);
    if let Some(name) = inline.chain(output.local_modules().keys()).next() {
        bail!("the bundle needs a separate JavaScript file for {name}, which the site does not support");
    }
    let wasm = output.wasm_mut().emit_wasm();
    let script = output.js();
    let output_name = format!("farthing-{}", hash(&[script.as_bytes(), &wasm]));
    // The script loads its module by the name without a hash, under which nothing is served.
    let script = script.replace("farthing_bg.wasm", &format!("{output_name}_bg.wasm"));
    let generated = vec![
        Asset { name: format!("{output_name}.js"), bytes: script.into_bytes() },
        Asset { name: format!("{output_name}_bg.wasm"), bytes: wasm },
    ];
    Ok(Bundle { output_name, generated, reused: BTreeSet::new() })
}

/// Sizes in bytes of module and JavaScript together.
#[derive(Default)]
pub struct Sizes {
    raw: u64,
    gzip: u64,
    pub brotli: u64,
}

pub fn sizes(pkg: &Path, output_name: &str) -> Result<Sizes> {
    let mut sizes = Sizes::default();
    for file in [format!("{output_name}.js"), format!("{output_name}_bg.wasm")] {
        let raw = size(&pkg.join(&file))?;
        sizes.raw += raw;
        // Without a compressed copy the file itself is served.
        sizes.gzip += size(&pkg.join(format!("{file}.gz"))).unwrap_or(raw);
        sizes.brotli += size(&pkg.join(format!("{file}.br"))).unwrap_or(raw);
    }
    Ok(sizes)
}

/// Prints the bundle's sizes. A bundle over the limit is an error.
pub fn check_size(pkg: &Path, output_name: &str) -> Result<()> {
    let Sizes { raw, gzip, brotli } = sizes(pkg, output_name)?;
    println!("bundle: {raw} bytes, gzip {gzip}, brotli {brotli} of at most {BUNDLE_LIMIT}");
    if brotli > BUNDLE_LIMIT {
        bail!(
            "the bundle is {} bytes over its limit: check what the islands newly depend on",
            brotli - BUNDLE_LIMIT
        );
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64> {
    Ok(fs::metadata(path).on_path("read", path)?.len())
}

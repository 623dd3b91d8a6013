//! The browser's bundle: the pages' islands as WebAssembly, and the glue that wasm-bindgen writes for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use wasm_bindgen_cli_support::Bindgen;

use super::{Asset, BUNDLE_LIMIT, hash, packing, write_if_changed};
use crate::failure::{Failure, OnPath, Outcome};
use crate::process;
use crate::workspace::{BROWSER_TARGET, Workspace};

pub struct Bundle {
    pub output_name: String,
    /// Assets that were made anew.
    pub fresh: Vec<Asset>,
    /// Names in `pkg/` of what a former build made from the same module.
    pub kept: BTreeSet<String>,
}

pub fn build(workspace: &Workspace, pkg: &Path) -> Outcome<Bundle> {
    let begun = Instant::now();
    process::run(workspace.cargo().args([
        "build",
        "--profile=wasm",
        "--target",
        BROWSER_TARGET,
        "--package=app",
        "--lib",
        "--features=hydrate",
    ]))?;
    let module = workspace.target.join(BROWSER_TARGET).join("wasm/app.wasm");
    let bytes = fs::read(&module).on("read", &module)?;

    let stamp = workspace.target.join("xtask/bundle");
    let recipe = format!("{} {}", hash(&[&bytes]), tool()?);
    let bundle = match former(&stamp, &recipe, pkg) {
        Some(bundle) => bundle,
        None => {
            let bundle = generate(&bytes)?;
            if let Some(folder) = stamp.parent() {
                fs::create_dir_all(folder).on("create", folder)?;
            }
            let names: Vec<&str> = bundle.fresh.iter().map(|asset| asset.name.as_str()).collect();
            let lines = [&[recipe.as_str(), &bundle.output_name], names.as_slice()].concat().join("\n");
            write_if_changed(&stamp, lines.as_bytes())?;
            bundle
        }
    };
    println!("bundle: {} ({:.1} s)", bundle.output_name, begun.elapsed().as_secs_f64());
    Ok(bundle)
}

/// What the build before this one made, if it was made from the same module in the same way.
fn former(stamp: &Path, recipe: &str, pkg: &Path) -> Option<Bundle> {
    let text = fs::read_to_string(stamp).ok()?;
    let mut lines = text.lines();
    if lines.next() != Some(recipe) {
        return None;
    }
    let output_name = lines.next()?.to_owned();
    let mut kept = BTreeSet::new();
    for name in lines {
        let forms = packing::forms(pkg, name);
        if forms.first().map(String::as_str) != Some(name) {
            return None;
        }
        kept.extend(forms);
    }
    Some(Bundle { output_name, fresh: Vec::new(), kept })
}

/// This tool's own mark: another version may write another glue from the same module.
fn tool() -> Outcome<String> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::new(format!("can't find this tool's own file: {error}")))?;
    Ok(hash(&[&fs::read(&own).on("read", &own)?]))
}

fn generate(module: &[u8]) -> Outcome<Bundle> {
    let mut bindgen = Bindgen::new();
    // Names of functions are most of the module's raw size, and only a debugger reads them.
    let output = bindgen
        .input_bytes("farthing", module.to_vec())
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(false)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate_output()
        })
        .map_err(|error| Failure::new(format!("wasm-bindgen: {error:#}")))?;
    let mut output = output;
    let inline = output.snippets().iter().filter(|(_, texts)| !texts.is_empty()).map(|(name, _)| name);
    if let Some(name) = inline.chain(output.local_modules().keys()).next() {
        return Err(Failure::new(format!(
            "the bundle needs JavaScript of its own for {name}: the site has one glue file, and no place for more"
        )));
    }
    let wasm = output.wasm_mut().emit_wasm();
    let glue = output.js();
    let output_name = format!("farthing-{}", hash(&[glue.as_bytes(), &wasm]));
    // The glue names its module by the bare name; only the hashed one is served.
    let glue = glue.replace("farthing_bg.wasm", &format!("{output_name}_bg.wasm"));
    let fresh = vec![
        Asset { name: format!("{output_name}.js"), bytes: glue.into_bytes() },
        Asset { name: format!("{output_name}_bg.wasm"), bytes: wasm },
    ];
    Ok(Bundle { output_name, fresh, kept: BTreeSet::new() })
}

/// Bytes of the module and its glue together.
#[derive(Default)]
pub struct Weights {
    raw: u64,
    gzip: u64,
    pub brotli: u64,
}

pub fn weights(pkg: &Path, output_name: &str) -> Outcome<Weights> {
    let mut weights = Weights::default();
    for file in [format!("{output_name}.js"), format!("{output_name}_bg.wasm")] {
        let raw = size(&pkg.join(&file))?;
        weights.raw += raw;
        // A form that was not smaller does not exist; then the raw one travels.
        weights.gzip += size(&pkg.join(format!("{file}.gz"))).unwrap_or(raw);
        weights.brotli += size(&pkg.join(format!("{file}.br"))).unwrap_or(raw);
    }
    Ok(weights)
}

/// Prints what the bundle weighs, and refuses one that has grown past its limit.
pub fn check_size(pkg: &Path, output_name: &str) -> Outcome<()> {
    let Weights { raw, gzip, brotli } = weights(pkg, output_name)?;
    println!("bundle: {raw} bytes, gzip {gzip}, brotli {brotli} of at most {BUNDLE_LIMIT}");
    if brotli > BUNDLE_LIMIT {
        return Err(Failure::new(format!(
            "the bundle has {brotli} bytes (brotli), {} too many: look at what the islands newly pull in",
            brotli - BUNDLE_LIMIT
        )));
    }
    Ok(())
}

fn size(path: &Path) -> Outcome<u64> {
    Ok(fs::metadata(path).on("read", path)?.len())
}

//! Says where the built site lies that the binary embeds: `FARTHING_SITE_DIR`, or `target/site`.

use std::path::PathBuf;

#[expect(clippy::disallowed_methods, reason = "cargo configures a build script through its environment")]
fn main() {
    let site = std::env::var_os("FARTHING_SITE_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/site"), PathBuf::from);
    // The manifest is written last and names every hashed file, so that it changes with any of them.
    for file in ["manifest.json", "api-docs/version"] {
        println!("cargo::rerun-if-changed={}", site.join(file).display());
    }
    println!("cargo::rerun-if-env-changed=FARTHING_SITE_DIR");
    println!("cargo::rustc-env=FARTHING_SITE_DIR={}", site.display());
}

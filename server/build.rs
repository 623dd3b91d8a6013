//! Says where the built site lies that the binary embeds: `FARTHING_SITE_DIR`, or `target/site`. The schema is embedded
//! as well, and a new step of it is a reason to build.

use std::path::PathBuf;

#[expect(clippy::disallowed_methods, reason = "a build script is told by its environment alone")]
fn main() {
    let site = std::env::var_os("FARTHING_SITE_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/site"), PathBuf::from);
    // The manifest is written last and names every hashed file, so that it changes with any of them.
    println!("cargo::rerun-if-changed={}", site.join("manifest.json").display());
    println!("cargo::rerun-if-env-changed=FARTHING_SITE_DIR");
    println!("cargo::rerun-if-changed={}", concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations"));
    println!("cargo::rustc-env=FARTHING_SITE_DIR={}", site.display());
}

//! The schema is embedded: a new migration is a reason to build.

fn main() {
    println!("cargo::rerun-if-changed={}", concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations"));
}

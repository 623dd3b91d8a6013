//! The list of the crates in the binary and in its pages (SBOM), in the form of CycloneDX.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::BuiltRelease;
use crate::path_context::PathContext;
use crate::process;
use crate::site::all_features;
use crate::workspace::BROWSER_TARGET;

/// Name and version of a crate. No two crates of a release share both.
type Part = (String, String);

/// Returns the name of the file and its contents.
pub fn make(release: &BuiltRelease<'_>) -> Result<(String, Vec<u8>)> {
    let metadata =
        process::output(release.workspace.cargo().args(["metadata", "--format-version=1", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("`cargo metadata` printed invalid JSON")?;
    let lock = release.workspace.root.join("Cargo.lock");
    let lock = fs::read_to_string(&lock).on_path("read", &lock)?;
    let document =
        document(&metadata, &contained(release)?, &checksums(&lock), &release.version, &release.time()?)?;
    Ok((format!("{}.cdx.json", release.name()), format!("{document:#}\n").into_bytes()))
}

/// The crates whose code is in the binary, or in what it sends to browsers.
fn contained(release: &BuiltRelease<'_>) -> Result<BTreeSet<Part>> {
    let tree = |package: &str, target: &str, features: &str| {
        process::output(release.workspace.cargo().args([
            "tree",
            "--locked",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
            "--package",
            package,
            "--target",
            target,
            "--features",
            features,
        ]))
    };
    let printed = tree("server", release.target, "")? + &tree("app", BROWSER_TARGET, &all_features())?;
    let parts = printed.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    });
    Ok(parts.collect())
}

/// SHA-256 of the crates that were downloaded, from `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<Part, String> {
    let packages = lock.split("[[package]]").skip(1).filter_map(|package| {
        let field = |name: &str| {
            let found = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            found.map(|value| value.trim_end_matches('"').to_owned())
        };
        Some(((field("name")?, field("version")?), field("checksum")?))
    });
    packages.collect()
}

fn document(
    metadata: &Value,
    contained: &BTreeSet<Part>,
    checksums: &BTreeMap<Part, String>,
    version: &str,
    time: &str,
) -> Result<Value> {
    let packages = metadata["packages"].as_array().context("`cargo metadata` lists no packages")?;
    let mut components = BTreeMap::new();
    let mut references = BTreeMap::new();
    for package in packages {
        let part = part(package);
        if !contained.contains(&part) {
            continue;
        }
        let reference = format!("pkg:cargo/{}@{}", part.0, part.1);
        references.insert(package["id"].as_str().unwrap_or_default(), reference.clone());
        let mut component = json!({
            "type": "library", "bom-ref": reference, "name": part.0, "version": part.1, "purl": reference,
        });
        if let Some(licence) = package["license"].as_str() {
            component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
        }
        if let Some(sum) = checksums.get(&part) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
        }
        components.insert(part, component);
    }
    let nodes = metadata["resolve"]["nodes"].as_array().context("`cargo metadata` resolves nothing")?;
    let dependencies = nodes.iter().filter_map(|node| {
        let below = node["dependencies"].as_array()?.iter();
        let below: BTreeSet<_> = below.filter_map(|id| references.get(id.as_str()?)).collect();
        Some(json!({"ref": references.get(node["id"].as_str()?)?, "dependsOn": below}))
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {"type": "application", "bom-ref": "farthing", "name": "farthing", "version": version},
        },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn part(package: &Value) -> Part {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    (text("name"), text("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_its_licence_its_sum_and_what_it_depends_on() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"ab\"\n\n[[package]]\nname = \"b\"\n";
        let metadata = json!({
            "packages": [
                {"id": "b 2", "name": "b", "version": "2.0.0", "license": null},
                {"id": "a 1", "name": "a", "version": "1.0.0", "license": "MIT/Apache-2.0"},
                {"id": "tool", "name": "tool", "version": "1.0.0", "license": "MIT"},
            ],
            "resolve": {"nodes": [{"id": "b 2", "dependencies": ["a 1", "tool"]}]},
        });
        let contained =
            [("a", "1.0.0"), ("b", "2.0.0")].map(|(name, version)| (name.to_owned(), version.to_owned()));
        let document =
            document(&metadata, &contained.into(), &checksums(lock), "1.2.0", "2026-01-01T00:00:00Z")
                .unwrap();
        let components = document["components"].as_array().unwrap();
        assert_eq!(components.len(), 2);
        assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[0]["hashes"][0]["content"], "ab");
        let dependency = json!({"ref": "pkg:cargo/b@2.0.0", "dependsOn": ["pkg:cargo/a@1.0.0"]});
        assert_eq!(document["dependencies"], json!([dependency]));
    }
}

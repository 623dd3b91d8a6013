//! Compares what calls of cargo compile, so that nothing is compiled twice: cargo compiles a crate again if
//! its features, its profile or a dependency differ.
//!
//! Cargo's unit graph lists everything that a call compiles. It is unstable: a stable toolchain prints it
//! only with `RUSTC_BOOTSTRAP`. No stable command prints features and profiles together.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;
use crate::workspace::Workspace;

/// Differences that an error lists.
const LISTED: usize = 20;

/// A crate or a build script, as one call of cargo compiles it.
#[derive(Clone)]
struct Unit {
    /// Package, target, mode and platform. Units with different settings share it.
    name: String,
    settings: Settings,
    /// Hash of name, settings, and all dependencies.
    fingerprint: u64,
}

#[derive(Clone, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Settings {
    features: String,
    profile: String,
}

/// Fails if a later call compiles something that an earlier call compiles, but differently. The calls are
/// arguments of cargo without what follows `--`.
pub fn check(workspace: &Workspace, earlier: &[&[&str]], later: &[&[&str]]) -> Result<()> {
    let compiled = |calls: &[&[&str]]| -> Result<Vec<Unit>> {
        let graphs = calls.iter().map(|call| units(&graph(workspace, call)?));
        Ok(graphs.collect::<Result<Vec<_>>>()?.concat())
    };
    let differences = differences(&compiled(earlier)?, &compiled(later)?);
    if differences.is_empty() {
        return Ok(());
    }
    let listed = differences.iter().take(LISTED).map(|line| format!("\n  {line}")).collect::<String>();
    bail!("crates are compiled again; {} differ, among them:{listed}", differences.len())
}

fn graph(workspace: &Workspace, call: &[&str]) -> Result<Value> {
    let mut command = workspace.cargo();
    command.args(call).args(["--unit-graph", "-Zunstable-options"]).env("RUSTC_BOOTSTRAP", "1");
    serde_json::from_str(&process::output(&mut command)?).context("cargo printed an invalid unit graph")
}

fn units(graph: &Value) -> Result<Vec<Unit>> {
    let units = graph["units"].as_array().context("the unit graph has no units")?;
    let mut known = HashMap::new();
    let all = (0..units.len()).map(|at| unit(units, at, &mut known));
    all.collect::<Option<_>>().context("the unit graph lacks a part of a unit")
}

/// The unit at an index of the graph. Adds it and its dependencies to those that are known.
fn unit(units: &[Value], at: usize, known: &mut HashMap<usize, Unit>) -> Option<Unit> {
    if let Some(unit) = known.get(&at) {
        return Some(unit.clone());
    }
    let found = units.get(at)?;
    let Value::Object(target) = &found["target"] else { return None };
    let (kind, crate_name) = (&target["kind"], &target["name"]);
    let name = format!("{} {kind} {crate_name} {} {}", found["pkg_id"], found["mode"], found["platform"]);
    let settings =
        Settings { features: found["features"].to_string(), profile: found["profile"].to_string() };
    let mut below = BTreeSet::new();
    for dependency in found["dependencies"].as_array()? {
        let index = usize::try_from(dependency["index"].as_u64()?).ok()?;
        below.insert(unit(units, index, known)?.fingerprint);
    }
    let mut hasher = DefaultHasher::new();
    (&name, &settings, below).hash(&mut hasher);
    let unit = Unit { name, settings, fingerprint: hasher.finish() };
    known.insert(at, unit.clone());
    Some(unit)
}

/// One line for each unit that is compiled earlier as well, but with other settings, or with other
/// dependencies if no settings differ.
fn differences(earlier: &[Unit], later: &[Unit]) -> BTreeSet<String> {
    let compiled: HashSet<u64> = earlier.iter().map(|unit| unit.fingerprint).collect();
    let mut settings: HashMap<&str, BTreeSet<&Settings>> = HashMap::new();
    for unit in earlier {
        settings.entry(&unit.name).or_default().insert(&unit.settings);
    }
    let (mut causes, mut affected) = (BTreeSet::new(), BTreeSet::new());
    for unit in later.iter().filter(|unit| !compiled.contains(&unit.fingerprint)) {
        let Some(before) = settings.get(&*unit.name) else { continue };
        if before.contains(&unit.settings) {
            affected.insert(format!("{}: other dependencies", unit.name));
            continue;
        }
        let same_profile = before.iter().any(|before| before.profile == unit.settings.profile);
        let text = |settings: &Settings| {
            if same_profile {
                format!("features {}", settings.features)
            } else {
                format!("profile {}", settings.profile)
            }
        };
        let before = before.iter().map(|before| text(before)).collect::<Vec<_>>().join(" or ");
        causes.insert(format!("{}: {}, before: {before}", unit.name, text(&unit.settings)));
    }
    if causes.is_empty() { affected } else { causes }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A crate above another one, which has these features and this optimization.
    fn compiled(features: &[&str], level: &str, dependencies: &[usize]) -> Vec<Unit> {
        let unit = |name: &str, features: &[&str], dependencies: &[usize]| {
            json!({
                "pkg_id": name, "target": {"kind": ["lib"], "name": name}, "mode": "build", "platform": null,
                "features": features, "profile": {"opt_level": level},
                "dependencies": dependencies.iter().map(|index| json!({"index": index})).collect::<Vec<_>>(),
            })
        };
        units(&json!({"units": [unit("upper", &[], dependencies), unit("lower", features, &[])]})).unwrap()
    }

    #[test]
    fn equal_crates_are_compiled_once() {
        let units = compiled(&["std"], "3", &[1]);
        assert!(differences(&units, &units).is_empty());
        assert!(
            differences(&units[1..], &units).is_empty(),
            "the upper crate is compiled for the first time"
        );
        let both = [compiled(&["std"], "3", &[1]), compiled(&[], "3", &[1])].concat();
        assert!(differences(&both, &units).is_empty());
    }

    #[test]
    fn a_second_compilation_is_explained() {
        let before = compiled(&["std"], "3", &[1]);
        let by_features = differences(&before, &compiled(&[], "3", &[1]));
        assert_eq!(by_features.len(), 1);
        assert!(by_features.first().unwrap().contains(r#"before: features ["std"]"#), "{by_features:?}");
        assert_eq!(differences(&before, &compiled(&["std"], "0", &[1])).len(), 2);
        let by_dependencies = differences(&before, &compiled(&["std"], "3", &[]));
        assert!(by_dependencies.first().unwrap().ends_with("other dependencies"), "{by_dependencies:?}");
    }
}

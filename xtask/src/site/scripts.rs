//! The scripts of the pages. They import each other by the names of their files, which an editor and the
//! type check follow; the build puts the names in use, which carry hashes, in their place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{Asset, hash, shrink};
use crate::path_context::PathContext;

/// The build appends it to the bundles.
const START: &str = "hydrate";

pub struct Script {
    pub asset: Asset,
    /// Names in `pkg/` of the modules that are loaded before this script runs, sorted.
    pub imports: Vec<String>,
}

/// The scripts of a folder, by the names of their files.
pub fn build(folder: &Path) -> Result<BTreeMap<String, Script>> {
    let mut sources = BTreeMap::new();
    for entry in fs::read_dir(folder).on_path("read", folder)? {
        let path = entry.on_path("read", folder)?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "js") && stem != START {
            let text = fs::read_to_string(&path).on_path("read", &path)?;
            sources.insert(format!("{stem}.js"), shrink::strip(&text));
        }
    }
    link(&sources)
}

/// Gives each script its name, the imported ones first.
fn link(sources: &BTreeMap<String, String>) -> Result<BTreeMap<String, Script>> {
    let mut built = BTreeMap::new();
    while built.len() < sources.len() {
        let before = built.len();
        for (name, text) in sources.iter().filter(|(name, _)| !built.contains_key(*name)).collect::<Vec<_>>()
        {
            if let Some(script) = link_one(name, text, sources, &built)? {
                built.insert(name.clone(), script);
            }
        }
        if built.len() == before {
            let left: Vec<_> = sources.keys().filter(|name| !built.contains_key(*name)).collect();
            bail!("these scripts import each other in a circle: {left:?}");
        }
    }
    Ok(built)
}

/// A script whose imports have their names. `None` as long as one of them has none.
fn link_one(
    name: &str,
    text: &str,
    sources: &BTreeMap<String, String>,
    built: &BTreeMap<String, Script>,
) -> Result<Option<Script>> {
    let mut linked = String::with_capacity(text.len());
    let mut imports = BTreeSet::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("'./") {
        let (file, following) = after.split_once('\'').context("a name of a script has no end")?;
        if !sources.contains_key(file) {
            bail!("`{name}` imports `{file}`, which is no script");
        }
        let Some(module) = built.get(file) else { return Ok(None) };
        // `import('./…')` is loaded when it is needed.
        if !before.ends_with('(') {
            imports.insert(module.asset.name.clone());
            imports.extend(module.imports.iter().cloned());
        }
        linked.push_str(before);
        linked.push_str("'./");
        linked.push_str(&module.asset.name);
        linked.push('\'');
        rest = following;
    }
    linked.push_str(rest);
    let bytes = linked.into_bytes();
    let stem = name.trim_end_matches(".js");
    let asset = Asset { name: format!("{stem}-{}.js", hash(&[&bytes])), bytes };
    Ok(Some(Script { asset, imports: imports.into_iter().collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(sources: &[(&str, &str)]) -> Result<BTreeMap<String, Script>> {
        link(&sources.iter().map(|(name, text)| ((*name).to_owned(), shrink::strip(text))).collect())
    }

    fn text(script: &Script) -> &str {
        std::str::from_utf8(&script.asset.bytes).unwrap()
    }

    #[test]
    fn a_script_names_the_files_that_it_imports_and_changes_its_own_name_with_them() {
        let order = "import { go } from './refresh.js';\nawait import('./late.js');\n";
        let refresh = "import { send } from './send.js';\nexport const go = send;\n";
        let build = |send: &str| {
            let scripts = [("order.js", order), ("refresh.js", refresh), ("send.js", send), ("late.js", "")];
            linked(&scripts).unwrap()
        };
        let (one, two) = (build("export const send = 1;\n"), build("export const send = 2;\n"));
        let names = |scripts: &BTreeMap<String, Script>, name: &str| scripts[name].asset.name.clone();
        let imports = vec![names(&one, "refresh.js"), names(&one, "send.js")];
        assert_eq!(one["order.js"].imports, imports);
        let expected = format!(
            "import {{ go }} from './{}';\nawait import('./{}');\n",
            imports[0],
            names(&one, "late.js")
        );
        assert_eq!(text(&one["order.js"]), expected);
        assert_ne!(names(&one, "order.js"), names(&two, "order.js"));
        assert_eq!(names(&one, "late.js"), names(&two, "late.js"));
    }

    #[test]
    fn a_circle_and_an_import_of_nothing_are_refused() {
        let circle = [("a.js", "import './b.js';"), ("b.js", "import './a.js';"), ("c.js", "")];
        let error = linked(&circle).err().unwrap().to_string();
        assert_eq!(error, r#"these scripts import each other in a circle: ["a.js", "b.js"]"#);
        let error = linked(&[("a.js", "import './b.js';")]).err().unwrap().to_string();
        assert_eq!(error, "`a.js` imports `b.js`, which is no script");
    }
}

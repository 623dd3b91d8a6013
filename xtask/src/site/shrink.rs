//! Removes from a bundle what wasm-bindgen puts into it and no page needs.

use anyhow::{Context, Result, bail};
use walrus::Module;
use walrus::passes::gc;

/// Shrinks the module, and returns its JavaScript shrunk accordingly.
pub fn shrink(module: &mut Module, script: &str) -> Result<String> {
    let script = remove_streams(module, &strip(script))?;
    rename_imports(module, &script)
}

/// Removes comments, indentation and empty lines. Inside a line a comment is a type, which begins as `/** `.
pub fn strip(script: &str) -> String {
    let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|start| line.starts_with(start));
    let lines = script.lines().map(str::trim);
    let code = lines.filter(|line| !line.is_empty() && !is_comment(line));
    code.map(|line| format!("{}\n", without_types(line))).collect()
}

fn without_types(line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, from_type)) = rest.split_once("/** ") {
        let Some((_, after)) = from_type.split_once("*/") else { break };
        code.push_str(before);
        rest = after.trim_start();
    }
    code.push_str(rest);
    code
}

/// Removes the classes of the crate wasm-streams, which are exported whether they are used or not. Only the
/// streams of server functions use them, and the pages have no server functions.
fn remove_streams(module: &mut Module, script: &str) -> Result<String> {
    let exports = module.exports.iter();
    let streams = exports.filter(|export| export.name.contains("intounderlying")).map(|export| export.id());
    for id in streams.collect::<Vec<_>>() {
        module.exports.delete(id);
    }
    gc::run(module);
    let mut kept = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, class)) = rest.split_once("export class IntoUnderlying") {
        kept.push_str(before);
        let end = class.find("\nexport ").context("nothing follows the class of a stream")?;
        rest = class[end..].trim_start();
    }
    kept.push_str(rest);
    Ok(kept)
}

/// Gives the imports short names, because each original one has a hash, which does not compress. Removes the
/// functions that nothing imports.
fn rename_imports(module: &mut Module, script: &str) -> Result<String> {
    const START: &str = "const import0 = {\n__proto__: null,\n";
    const END: &str = "};\nreturn {\n";
    let (before, rest) = script.split_once(START).context("the script has no imports")?;
    let (functions, after) = rest.split_once(END).context("the imports have no end")?;
    let mut renamed = String::with_capacity(functions.len());
    let mut count = 0;
    for (name, function) in functions_by_name(functions) {
        if let Some(import) = module.imports.iter_mut().find(|import| import.name == name) {
            import.name = short_name(count);
            renamed.push_str(&import.name);
            renamed.push_str(function);
            count += 1;
        }
    }
    let imported = module.imports.iter().count();
    if imported != count {
        bail!("the module has {imported} imports, and the script has functions for {count} of them");
    }
    Ok(format!("{before}{START}{renamed}{END}{after}"))
}

/// Each function's name, and what follows it. A function begins at the beginning of a line.
fn functions_by_name(functions: &str) -> Vec<(&str, &str)> {
    let mut starts = Vec::new();
    let mut start = 0;
    for line in functions.split_inclusive('\n') {
        if line.starts_with("__wb")
            && let Some((name, _)) = line.split_once(": function(")
        {
            starts.push((start, name));
        }
        start += line.len();
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([functions.len()]);
    starts.iter().zip(ends).map(|((start, name), end)| (*name, &functions[start + name.len()..end])).collect()
}

/// `a` … `z`, `aa`, `ba` …: a different name for each number.
fn short_name(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        name.extend(('a'..='z').nth(number % 26));
        number /= 26;
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use walrus::ValType;

    use super::*;

    const SCRIPT: &str = "
        /**
         * @param {HTMLElement} el
         */
        export function Island(el) {
            wasm.Island(el);
        }
        export class IntoUnderlyingSink {
            close() {}
        }
        export function hydrate() {}
        const import0 = {
            __proto__: null,
            __wbg_close_0f: function(arg0) {
                // Closes it.
                arg0.close();
            },
            __wbg_unused_1f: function(arg0) {
            },
            __wbg_now_2f: function() { return handleError(function () {
                return Date.now();
            }, arguments); },
        };
        return {
            './bid_bg.js': import0
        };";

    const SHRUNK: &str = "export function Island(el) {
wasm.Island(el);
}
export function hydrate() {}
const import0 = {
__proto__: null,
a: function(arg0) {
arg0.close();
},
b: function() { return handleError(function () {
return Date.now();
}, arguments); },
};
return {
'./bid_bg.js': import0
};
";

    /// A module that exports its imports, and the function of a stream.
    fn module(imports: &[&str]) -> Module {
        let mut module = Module::default();
        let signature = module.types.add(&[], &[]);
        for name in imports {
            let (function, _) = module.add_import_func("./bid_bg.js", name, signature);
            module.exports.add(&format!("exported{name}"), function);
        }
        let mut close = walrus::FunctionBuilder::new(&mut module.types, &[ValType::I32], &[]);
        close.func_body();
        let close = close.finish(Vec::new(), &mut module.funcs);
        module.exports.add("intounderlyingsink_close", close);
        module
    }

    #[test]
    fn comments_and_types_are_not_served() {
        let script = "
            // Why.
            /**
             * @param {string} name
             */
            const field = (name) => /** @type {HTMLInputElement} */ (find(name));
            /** A line. */
            const path = 'https://example.org/*';
        ";
        assert_eq!(
            strip(script),
            "const field = (name) => (find(name));\nconst path = 'https://example.org/*';\n"
        );
    }

    #[test]
    fn module_and_script_keep_what_is_used() {
        let mut module = module(&["__wbg_now_2f", "__wbg_close_0f"]);
        assert_eq!(shrink(&mut module, SCRIPT).unwrap(), SHRUNK);
        let names: Vec<_> = module.imports.iter().map(|import| import.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        assert!(module.exports.iter().all(|export| export.name.starts_with("exported")));
        assert_eq!(module.funcs.iter_local().count(), 0);
    }

    #[test]
    fn an_import_without_a_function_is_an_error() {
        let mut module = module(&["__wbg_now_2f", "__wbg_missing_3f"]);
        let error = shrink(&mut module, SCRIPT).unwrap_err();
        assert_eq!(error.to_string(), "the module has 2 imports, and the script has functions for 1 of them");
    }

    #[test]
    fn every_number_has_a_name_of_its_own() {
        let names: BTreeSet<_> = (0..2000).map(short_name).collect();
        assert_eq!((names.len(), short_name(25), short_name(26)), (2000, "z".to_owned(), "aa".to_owned()));
    }
}

//! Merges the functions of a WebAssembly module whose code is equal. The compiler leaves them where one generic function
//! was compiled for several types.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use walrus::ir::{VisitorMut, dfs_pre_order_mut};
use walrus::passes::gc;
use walrus::{ElementItems, ExportItem, FunctionId, FunctionKind, Module, ModuleConfig};

/// Each round merges functions that differed in their calls only. The last rounds merge little.
const ROUNDS_MAX: usize = 8;

/// The module with one of each set of equal functions.
pub fn merge_equal_functions(mut wasm: Vec<u8>) -> Result<Vec<u8>> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    for _ in 0..ROUNDS_MAX {
        let mut module = config.parse(&wasm)?;
        let merged = equal_functions(&module, &wasm)?;
        if merged.is_empty() {
            break;
        }
        replace(&mut module, Merged(merged));
        gc::run(&mut module);
        wasm = module.emit_wasm();
    }
    Ok(wasm)
}

/// Each function that equals an earlier one, with that one.
fn equal_functions(module: &Module, wasm: &[u8]) -> Result<HashMap<FunctionId, FunctionId>> {
    let bodies = bodies(wasm).context("the module has no valid code section")?;
    let functions: Vec<_> = module.funcs.iter_local().map(|(id, function)| (id, function.ty())).collect();
    if functions.len() != bodies.len() {
        bail!("the module has {} functions and {} bodies", functions.len(), bodies.len());
    }
    let mut firsts = HashMap::new();
    let mut merged = HashMap::new();
    for ((id, signature), body) in functions.into_iter().zip(bodies) {
        let first = *firsts.entry((signature, body)).or_insert(id);
        if first != id {
            merged.insert(id, first);
        }
    }
    Ok(merged)
}

struct Merged(HashMap<FunctionId, FunctionId>);

impl VisitorMut for Merged {
    fn visit_function_id_mut(&mut self, id: &mut FunctionId) {
        *id = self.0.get(id).copied().unwrap_or(*id);
    }
}

/// Replaces the merged functions where they are called, exported or in a table. A function that is used elsewhere stays.
fn replace(module: &mut Module, mut merged: Merged) {
    for function in module.funcs.iter_mut() {
        if let FunctionKind::Local(function) = &mut function.kind {
            let start = function.entry_block();
            dfs_pre_order_mut(&mut merged, function, start);
        }
    }
    for export in module.exports.iter_mut() {
        if let ExportItem::Function(id) = &mut export.item {
            merged.visit_function_id_mut(id);
        }
    }
    for element in module.elements.iter_mut() {
        if let ElementItems::Functions(ids) = &mut element.items {
            ids.iter_mut().for_each(|id| merged.visit_function_id_mut(id));
        }
    }
}

/// The encoded bodies of the functions, in order.
fn bodies(wasm: &[u8]) -> Option<Vec<&[u8]>> {
    const CODE_SECTION: u8 = 10;
    // Magic number and version.
    let mut rest = wasm.get(8..)?;
    loop {
        let (section, mut after) = rest.split_first()?;
        let mut code = take(&mut after)?;
        rest = after;
        if *section == CODE_SECTION {
            let count = number(&mut code)?;
            return (0..count).map(|_| take(&mut code)).collect();
        }
    }
}

/// Takes a length and as many bytes.
fn take<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(bytes)?;
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// Takes a number in LEB128, which has seven bits per byte, the lowest first.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= usize::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use walrus::{FunctionBuilder, ValType};

    use super::*;

    /// A module that exports the functions `a` and `b`, which call functions that return `one` and `other`.
    fn module(one: i32, other: i32) -> Vec<u8> {
        let mut module = Module::default();
        for (name, value) in [("a", one), ("b", other)] {
            let mut inner = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            inner.func_body().i32_const(value);
            let inner = inner.finish(Vec::new(), &mut module.funcs);
            let mut outer = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            outer.func_body().call(inner);
            let outer = outer.finish(Vec::new(), &mut module.funcs);
            module.exports.add(name, outer);
        }
        module.emit_wasm()
    }

    fn count(wasm: &[u8]) -> usize {
        bodies(wasm).unwrap().len()
    }

    #[test]
    fn equal_functions_and_then_their_equal_callers_are_merged() {
        let wasm = module(1, 1);
        assert_eq!(count(&wasm), 4);
        let merged = merge_equal_functions(wasm).unwrap();
        assert_eq!(count(&merged), 2);
        let names: Vec<_> =
            Module::from_buffer(&merged).unwrap().exports.iter().map(|export| export.name.clone()).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn different_functions_stay() {
        let merged = merge_equal_functions(module(1, 2)).unwrap();
        assert_eq!(count(&merged), 4);
    }
}

//! The routes of pages and forms, as `server/src/router.rs` lists them.

use super::source::{Source, all};

/// A call of `route` in the router.
pub struct Route {
    pub path: &'static str,
    /// Whether GET shows a page.
    pub is_page: bool,
    /// Whether POST takes a form.
    pub is_form: bool,
}

/// Every route of `fn pages()`.
pub fn routes() -> Vec<Route> {
    let source = all().iter().find(|source| source.path == "server/src/router.rs").expect("the router");
    let calls =
        source.code.match_indices(".route(").map(|(start, mark)| (start, call(source, start + mark.len())));
    let routes = calls.map(|(start, call)| {
        let path = source.strings.iter().find(|piece| piece.offset > start).expect("a path").text.as_str();
        Route { path, is_page: call.contains("get(show)"), is_form: call.contains("form(") }
    });
    routes.collect()
}

/// The arguments of a call, from after its opening parenthesis to the closing one.
fn call(source: &Source, start: usize) -> &str {
    let mut depth = 1;
    let end = source.code[start..].find(|character| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    &source.code[start..start + end.expect("a closed call")]
}

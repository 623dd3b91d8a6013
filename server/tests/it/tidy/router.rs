//! The routes of pages and forms, as `server/src/router.rs` lists them.

use super::source::all;

/// A page, a form, or a page with a form, as the router lists it.
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
    let start = source.code.find("Pages::default()").expect("the list of pages");
    let list = &source.code[start..];
    let list = start..start + list.find(';').expect("the end of the list");
    let paths = source.strings.iter().filter(|piece| list.contains(&piece.offset));
    let routes = paths.map(|piece| {
        // The name of the call is before the path.
        let before = source.code[list.start..piece.offset].trim_end_matches(['"', ' ', '\n', '(']);
        let name = before.rsplit('.').next().unwrap_or_default();
        Route {
            path: piece.text.as_str(),
            is_page: name.starts_with("page"),
            is_form: name.ends_with("form"),
        }
    });
    routes.collect()
}

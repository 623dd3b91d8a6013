//! The routes of pages and forms, as `server/src/router/pages.rs` lists them.

use super::source::all;

/// A page, a form, or a page with a form, as the router lists it.
pub struct Route {
    pub path: &'static str,
    /// Whether GET shows a page.
    pub is_page: bool,
    /// Whether POST takes a form.
    pub is_form: bool,
}

/// Every route of `fn pages()`. The address of a form begins with that of the page before it.
pub fn routes() -> Vec<Route> {
    let source = all().iter().find(|source| source.path == "server/src/router/pages.rs").expect("the router");
    let start = source.code.find("Table::default()").expect("the table of pages");
    let list = &source.code[start..];
    let list = start..start + list.find(';').expect("the end of the table");
    let (mut routes, mut page): (Vec<Route>, _) = (Vec::new(), "");
    for piece in source.strings.iter().filter(|piece| list.contains(&piece.offset)) {
        // The name of the call is before the path.
        let before = source.code[list.start..piece.offset].trim_end_matches(['"', ' ', '\n', '(']);
        let is_page = before.ends_with(".page");
        if is_page {
            page = piece.text.as_str();
        }
        match routes.last_mut() {
            Some(route) if !is_page && piece.text.is_empty() => route.is_form = true,
            _ => {
                let path = if is_page { page } else { format!("{page}{}", piece.text).leak() };
                routes.push(Route { path, is_page, is_form: !is_page });
            }
        }
    }
    routes
}

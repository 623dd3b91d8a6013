//! Links between the pages of a list.

use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Empty if the list has one page. `path` is the address of the first page. Cursors lead forwards only, so
/// the link back leads to the first page.
#[component]
pub fn Pagination(path: String, cursor: Option<String>, next: Option<String>) -> impl IntoView {
    let next = next.map(|next| page_address(&path, Some(&next)));
    let first = cursor.is_some().then_some(path);
    (first.is_some() || next.is_some()).then(|| {
        view! {
            <nav class="pagination" aria-label="Pages">
                {first
                    .map(|first| {
                        view! {
                            <a class="button quiet" href=first>
                                "First page"
                            </a>
                        }
                    })}
                {next
                    .map(|next| {
                        view! {
                            <a class="button quiet" rel="next" href=next>
                                "Next page"
                            </a>
                        }
                    })}
            </nav>
        }
    })
}

/// Address of the page of the list that begins after `cursor`. `path` may have a query.
pub fn page_address(path: &str, cursor: Option<&str>) -> String {
    let encoded = cursor.map(|cursor| utf8_percent_encode(cursor, NON_ALPHANUMERIC));
    let mark = if path.contains('?') { '&' } else { '?' };
    encoded.map_or_else(|| path.to_owned(), |cursor| format!("{path}{mark}cursor={cursor}"))
}

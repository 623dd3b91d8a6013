//! A page that waits for its content.

use std::future::Future;

use leptos::either::Either;
use leptos::prelude::*;
use leptos::tachys::html::InertElement;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::components::error_page::ErrorPage;
use crate::services::{Loaded, ServicesHandle};

/// The process that this page is drawn in, on behalf of its viewer.
pub fn services() -> ServicesHandle {
    expect_context()
}

/// A part of the path, by its name in the route. Empty where the route has none, so nothing is found.
pub fn path_part(name: &str) -> String {
    use_params_map().read_untracked().get(name).unwrap_or_default()
}

/// A member of the query.
pub fn query_part(name: &str) -> Option<String> {
    use_query_map().read_untracked().get(name).filter(|value| !value.is_empty())
}

/// All members of the query, as the fields of a form that asks for its page again.
pub fn query_fields() -> Vec<(String, String)> {
    let query = use_query_map().get_untracked();
    query.into_iter().map(|(name, value)| (name.into_owned(), value)).collect()
}

/// Draws what `load` brings, or the page that says why there is nothing. It is handed on as finished HTML: nothing in it
/// waits any more, and what [`Suspense`] is given otherwise it draws twice, the first time to see whether something does.
pub fn loaded<T, V>(
    load: impl Future<Output = Loaded<T>> + Send + 'static,
    draw: impl FnOnce(T) -> V + Send + 'static,
) -> impl IntoView
where
    T: Send + 'static,
    V: IntoView + 'static,
{
    view! {
        <Suspense>
            {Suspend::new(async move {
                let page = match load.await {
                    Ok(content) => Either::Left(draw(content)),
                    Err(error) => Either::Right(view! { <ErrorPage error /> }),
                };
                InertElement::new(page.to_html())
            })}
        </Suspense>
    }
}

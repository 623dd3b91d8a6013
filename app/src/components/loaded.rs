//! A page that loads its data before it is rendered, and access to the current request.

use std::future::Future;

use leptos::either::Either;
use leptos::prelude::*;
use leptos::tachys::html::InertElement;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::components::error_page::ErrorPage;
use crate::services::{Loaded, ServicesHandle};

/// The services of the current request.
pub fn services() -> ServicesHandle {
    expect_context()
}

/// A parameter of the route. Empty if the route has none of this name, so that nothing is found.
pub fn path_part(name: &str) -> String {
    use_params_map().read_untracked().get(name).unwrap_or_default()
}

/// A parameter of the query. An empty one is absent.
pub fn query_part(name: &str) -> Option<String> {
    use_query_map().read_untracked().get(name).filter(|value| !value.is_empty())
}

/// All parameters of the query: the fields of a form that requests its page again.
pub fn query_fields() -> Vec<(String, String)> {
    let query = use_query_map().get_untracked();
    query.into_iter().map(|(name, value)| (name.into_owned(), value)).collect()
}

/// Renders the loaded data, or the error page. [`Suspense`] gets finished HTML because it renders any other content
/// twice, the first time to find out whether it waits for something.
pub fn loaded<T, V>(
    load: impl Future<Output = Loaded<T>> + Send + 'static,
    render: impl FnOnce(T) -> V + Send + 'static,
) -> impl IntoView
where
    T: Send + 'static,
    V: IntoView + 'static,
{
    view! {
        <Suspense>
            {Suspend::new(async move {
                let page = match load.await {
                    Ok(content) => Either::Left(render(content)),
                    Err(error) => Either::Right(view! { <ErrorPage error /> }),
                };
                InertElement::new(page.to_html())
            })}
        </Suspense>
    }
}

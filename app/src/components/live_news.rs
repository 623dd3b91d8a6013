//! Keeps a page current that only the server can render: with each event, or every few seconds, `live.js`
//! requests the page again, and copies the elements of class `live`, each of which has an id.

use leptos::prelude::*;

/// Says so while the page may be out of date. A page has at most one.
#[component]
pub fn LiveNews(
    class: &'static str,
    /// What it says then.
    stale: &'static str,
    /// The stream of a run, whose events the page shows instead of the viewer's own ones.
    #[prop(optional)]
    run: Option<&'static str>,
    /// A stream after each of whose events the page is requested again.
    #[prop(optional, into)]
    stream: Option<String>,
    /// A kind of event of the stream that does not concern the page.
    #[prop(optional)]
    ignores: Option<&'static str>,
    /// Seconds after which the page is requested again, without an event.
    #[prop(optional)]
    every: Option<u32>,
    /// Id of the event of the run that the page shows.
    #[prop(optional)]
    shown: Option<String>,
) -> impl IntoView {
    view! {
        <p
            id="live-news"
            class=class
            role="status"
            data-stale=stale
            data-run=run
            data-shown=shown
            data-stream=stream
            data-ignores=ignores
            data-every=every
        ></p>
    }
}

//! Renders a page for one request, from its data to the text of the document. Nothing in a page is
//! asynchronous.

use std::sync::Arc;

use hydration_context::SsrSharedContext;
use leptos::nonce::{provide_nonce, use_nonce};
use leptos::prelude::*;
use leptos::reactive::owner::Owner;

use crate::blanks::{Values, filled_in};
use crate::bundles::PageBundle;
use crate::head::Head;
use crate::html::Html;
use crate::model::Refused;
use crate::request::{RequestContext, request};
use crate::scripts::PageScripts;
use crate::shell::shell;

/// A document and the policy with which it is sent.
pub struct RenderedPage {
    pub html: String,
    /// Allows only scripts that carry the nonce of this document.
    pub content_security_policy: String,
}

/// Renders the document of a page, with header and footer. `refused` is a form of the page that the server
/// refused: the page shows the submitted values and the errors.
pub fn render(
    request: RequestContext,
    refused: Option<Refused>,
    page: impl FnOnce() -> Html,
) -> RenderedPage {
    // Only islands are hydrated: the rest of the page needs no data for the browser.
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let rendered = owner.with(|| {
        provide_contexts(request, refused);
        document(page())
    });
    owner.unset_with_forced_cleanup();
    rendered
}

fn provide_contexts(request: RequestContext, refused: Option<Refused>) {
    provide_nonce();
    provide_context(Head::default());
    provide_context(PageScripts::default());
    provide_context(PageBundle::new(request.assets.bundles.clone()));
    provide_context(Arc::clone(&request.fragments));
    provide_context(Arc::clone(&request.zone));
    provide_context(Arc::new(request));
    if let Some(refused) = refused {
        provide_context(refused);
    }
}

fn document(page: Html) -> RenderedPage {
    let nonce = use_nonce().map(|nonce| nonce.to_string()).unwrap_or_default();
    let request = request();
    let viewer_id = request.viewer.as_ref().map_or("", |viewer| &viewer.id);
    let values = Values { new_key: &request.new_key, viewer_id, now: request.now };
    RenderedPage {
        html: filled_in(&shell(page).into_view().to_html(), &values),
        content_security_policy: format!(
            "default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
             worker-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    }
}

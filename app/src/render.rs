//! Renders a page for one request.

use std::pin::Pin;
use std::sync::{Arc, Once};

use any_spawner::Executor;
use axum::body::Body;
use axum::http::{HeaderValue, Request, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use leptos::nonce::use_nonce;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{ResponseOptions, render_app_async_with_context};

use crate::bundles::{BundleNames, PageBundle};
use crate::model::Refused;
use crate::services::ServicesHandle;
use crate::shell::shell;

/// The built files that every page links to. Their names carry a hash of their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    pub css: String,
    pub favicon: String,
    /// The font of headings and amounts.
    pub font: String,
    /// The icon as a bitmap of 512 pixels, for devices and link previews.
    pub icon: String,
    pub web_manifest: String,
    /// What every page does without an island, such as storing the browser's time zone in a cookie.
    pub page_script: String,
    pub bundles: BundleNames,
}

/// A page to render.
pub struct PageRequest {
    pub assets: Arc<Assets>,
    pub services: ServicesHandle,
    /// Address of the page.
    pub uri: Uri,
    /// A form that the page posted and the server refused. The page then shows the submitted values and the
    /// errors, and the response has this status. With a success, nothing was refused: the page has its own status.
    pub refused: Option<(StatusCode, Refused)>,
}

/// Renders the page at `uri` for the viewer of `services`. Needs a Tokio runtime.
///
/// The future is boxed so that the views are compiled in this crate: the compiler generates the body of an
/// `async fn` in the crate that awaits it.
pub fn render(request: PageRequest) -> Pin<Box<dyn Future<Output = Response> + Send>> {
    Box::pin(render_page(request))
}

async fn render_page(request: PageRequest) -> Response {
    static EXECUTOR: Once = Once::new();
    // Fails only if the process has chosen an executor before, which is then used.
    EXECUTOR.call_once(|| drop(Executor::init_tokio()));

    let PageRequest { assets, services, uri, refused } = request;
    let mut get = Request::new(Body::empty());
    *get.uri_mut() = uri;
    let (status, refused) = refused.unzip();
    let (bundles, page_assets) = (assets.bundles.clone(), Arc::clone(&assets));
    let context = move || {
        provide_context(services.clone());
        provide_context(PageBundle::new(bundles.clone()));
        provide_context(Arc::clone(&page_assets));
        if let Some(refused) = &refused {
            provide_context(refused.clone());
        }
        set_content_security_policy();
    };
    let handler = render_app_async_with_context(context, move || shell(&assets));
    let mut response = handler(get).await.into_response();
    if let Some(status) = status.filter(|status| !status.is_success()) {
        *response.status_mut() = status;
    }
    response
}

/// Allows only scripts that carry this response's nonce.
fn set_content_security_policy() {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else { return };
    let policy = format!(
        "default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
         style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

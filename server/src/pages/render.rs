//! Draws a page of the app for one request.

use app::model::Refused;
use app::services::ServicesHandle;
use app::shell::shell;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use leptos::config::LeptosOptions;
use leptos::nonce::use_nonce;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{ResponseOptions, render_app_async_with_context};

use crate::site::Site;

/// Lets what pages wait for run on the process's own runtime. Further calls change nothing.
pub fn prepare() {
    let _ = any_spawner::Executor::init_tokio();
}

/// Draws the page at `uri` for the viewer that `services` speaks for. With `refused`, its form shows what was
/// typed and what is wrong with it, and the answer has that status.
pub async fn draw(
    site: &Site,
    services: ServicesHandle,
    uri: Uri,
    refused: Option<(StatusCode, Refused)>,
) -> Response {
    let mut request = Request::new(Body::empty());
    *request.method_mut() = Method::GET;
    *request.uri_mut() = uri;

    let (status, refused) = refused.unzip();
    let options = LeptosOptions::builder().output_name(site.output_name.as_str()).build();
    let assets = site.assets.clone();
    let context = move || {
        provide_context(services.clone());
        if let Some(refused) = &refused {
            provide_context(refused.clone());
        }
        allow_own_scripts_only();
    };
    let draw = render_app_async_with_context(context, move || shell(options.clone(), assets.clone()));
    let mut response = draw(request).await.into_response();
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

/// The page's Content-Security-Policy names the nonce that its scripts bear.
fn allow_own_scripts_only() {
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

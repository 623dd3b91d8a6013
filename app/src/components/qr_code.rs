//! A QR code.

use leptos::prelude::*;

use crate::model::QrCode as Modules;

/// Dark on white also in the dark theme: cameras do not read inverted codes. `label` says what the code
/// holds.
#[component]
pub fn QrCode(qr: Modules, #[prop(into)] label: String) -> impl IntoView {
    view! {
        <svg
            class="qr-code"
            viewBox=format!("0 0 {0} {0}", qr.size)
            role="img"
            aria-label=label
            shape-rendering="crispEdges"
        >
            <rect width="100%" height="100%" fill="#fff" />
            <path d=qr.path stroke="#000" />
        </svg>
    }
}

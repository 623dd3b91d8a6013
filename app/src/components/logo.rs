//! The logo: a coin with one quarter cut out. A farthing is a quarter of a penny.

use leptos::prelude::*;

#[component]
pub fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
            <path class="logo-coin" d="M14 4V18H28A14 14 0 1 1 14 4Z" />
            <path class="logo-rim" d="M14 7.5A10.5 10.5 0 1 0 24.5 18" />
            <path class="logo-quarter" d="M18 1A13 13 0 0 1 31 14H18Z" />
            <path class="logo-rim" d="M18 4.5A9.5 9.5 0 0 1 27.5 14" />
        </svg>
    }
}

//! The mark: a coin of which one quarter is set apart. A farthing is the fourth part of a penny.

use leptos::prelude::*;

#[component]
pub fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
            <path class="logo-coin" d="M14 4.2 V17 a1 1 0 0 0 1 1 H27.8 A13 13 0 1 1 14 4.2 Z" />
            <path class="logo-quarter" d="M18 2 A12.5 12.5 0 0 1 30 14 H18 Z" />
        </svg>
    }
}

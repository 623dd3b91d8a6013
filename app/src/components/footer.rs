//! The footer of every page.

use leptos::prelude::*;

#[component]
pub fn Footer() -> impl IntoView {
    view! {
        <footer class="site-footer">
            <p>"Farthing: auctions in any currency you can define, on your own machine."</p>
            <nav aria-label="About">
                <a href="/admin">"Administration"</a>
                <a href="/api/docs">"For developers"</a>
            </nav>
        </footer>
    }
}

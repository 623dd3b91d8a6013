//! The head of a page that belongs to an auction, an item, a book or a group.

use leptos::prelude::*;

use crate::components::name::Name;

/// A link back to what the page is of, by its name, above the heading. `children` stand beside them.
#[component]
pub fn PageHead(
    /// Path of the page of what this one is of.
    #[prop(into)]
    back: String,
    /// Its name.
    #[prop(into)]
    of: String,
    #[prop(into)] heading: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=back>
                        <Name text=of />
                    </a>
                </p>
                <h1>{heading}</h1>
            </div>
            {children.map(|children| children())}
        </header>
    }
}

//! The subjects of a long page, beside it where there is room.

use leptos::prelude::*;

/// `subjects` are the ids of the headings of the page, each with a short name.
#[component]
pub fn SideNav(subjects: Vec<(&'static str, &'static str)>, children: Children) -> impl IntoView {
    let links = subjects.into_iter().map(|(id, name)| {
        view! {
            <a href=format!("#{id}")>
                {name}
            </a>
        }
    });
    view! {
        <div class="with-side">
            <nav class="side-nav" aria-label="On this page">
                {links.collect_view()}
            </nav>
            {children()}
        </div>
    }
}

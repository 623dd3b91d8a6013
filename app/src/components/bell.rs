//! The link to the viewer's notifications, with the number of unread ones, which `live.js` keeps current.

use leptos::prelude::*;

use crate::model::InboxState;

/// From this number on, the count is not exact.
const COUNT_MAX: u32 = 100;

#[component]
pub fn Bell(inbox: Option<InboxState>, current: bool) -> impl IntoView {
    let count = inbox.as_ref().map_or(0, |inbox| inbox.unread);
    let is_zero = count == 0;
    let shown = if count >= COUNT_MAX { "99+".to_owned() } else { count.to_string() };
    let label = if is_zero { "Notifications".to_owned() } else { format!("Notifications, {shown} unread") };
    view! {
        <a
            class="bell"
            id="bell"
            href="/notifications"
            title="Notifications"
            aria-label=label
            aria-current=current.then_some("page")
            data-count=count
            data-after=inbox.map(|inbox| inbox.last)
        >
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M12 3a6 6 0 0 0-6 6c0 5-2 6.5-2 8h16c0-1.5-2-3-2-8a6 6 0 0 0-6-6Zm-2.5 16a2.5 2.5 0 0 0 5 0" />
            </svg>
            <span class="bell-count" hidden=is_zero>
                {shown}
            </span>
        </a>
    }
}

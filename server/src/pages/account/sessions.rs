//! The browsers in which the viewer is signed in, each with a button that ends its session.

use app::components::moment::{date_and_time, stamp};
use leptos::prelude::*;

/// A browser in which the viewer is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub id: String,
    /// The browser and its system in words.
    pub client: String,
    /// Where the viewer signed in.
    pub address: String,
    pub created_at: i64,
    /// Up to an hour before the last request.
    pub last_used_at: i64,
    pub is_current: bool,
}

#[component]
pub fn Sessions(sessions: Vec<SessionFacts>, has_password: bool) -> impl IntoView {
    let then = if has_password { "change your password" } else { "ask for a new PIN" };
    let has_others = sessions.iter().any(|session| !session.is_current);
    let rows = sessions.into_iter().map(|session| view! { <Row session /> }).collect_view();
    view! {
        <section aria-labelledby="sessions">
            <h2 id="sessions">"Where you are signed in"</h2>
            <p>
                {format!(
                    "If you don’t recognize a browser, sign it out and {then}. The last use is recorded once an hour.",
                )}
            </p>
            <ul class="sessions" role="list">
                {rows}
            </ul>
            {has_others
                .then(|| {
                    view! {
                        <form method="post" action="/account/sessions/end-others">
                            <button class="button" type="submit">
                                "Sign out everywhere else"
                            </button>
                        </form>
                    }
                })}
        </section>
    }
}

#[component]
fn Row(session: SessionFacts) -> impl IntoView {
    let SessionFacts { id, client, address, created_at, last_used_at, is_current } = session;
    let mark = is_current.then(|| view! { <strong class="badge open">"This browser"</strong> });
    // Each button has a name of its own.
    let label = format!("Sign out: {client}, {address}, since {}", date_and_time(created_at));
    view! {
        <li>
            <div>
                <p class="session-client">{client} " " {mark}</p>
                <p class="facts">
                    <span>{address}</span>
                    <span>
                        "Signed in " <time datetime=stamp(created_at)>{date_and_time(created_at)}</time>
                    </span>
                    <span>
                        "Last used " <time datetime=stamp(last_used_at)>{date_and_time(last_used_at)}</time>
                    </span>
                </p>
            </div>
            <form method="post" action=format!("/account/sessions/{id}/end")>
                <button class="button" type="submit" aria-label=label>
                    "Sign out"
                </button>
            </form>
        </li>
    }
}

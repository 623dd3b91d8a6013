//! The pages to which the link of an auction and an invite lead.

mod invitation;

use leptos::prelude::*;

use crate::components::loaded::{loaded, path_part, services};
use invitation::ShowInvitation;

/// `/join/{token}`
#[component]
pub fn Join() -> impl IntoView {
    let services = services();
    let token = path_part("token");
    let path = format!("/join/{token}");
    let load = async move { services.join_link(&token).await };
    loaded(load, move |invitation| view! { <ShowInvitation invitation path /> })
}

/// `/invites/{token}`
#[component]
pub fn Invite() -> impl IntoView {
    let services = services();
    let token = path_part("token");
    let path = format!("/invites/{token}");
    let load = async move { services.invite(&token).await };
    loaded(load, move |invitation| view! { <ShowInvitation invitation path /> })
}

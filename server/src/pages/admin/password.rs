//! The password that an act asks for which can't be undone: an open browser alone does none.

use app::components::field::{Field, TextField};
use leptos::prelude::*;

/// Each form of the page has a field of its own.
pub(super) const fn password(name: &'static str) -> Field {
    Field::new(name, "Your password", "Enter your password.").called("the password")
}

#[component]
pub fn PasswordField(field: Field) -> impl IntoView {
    view! { <TextField field kind="password" autocomplete="current-password" required=true class="medium" /> }
}

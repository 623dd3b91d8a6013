//! The errors of a refused form, above its fields.

use leptos::prelude::*;

use crate::components::field::field_id;
use crate::model::Refused;

/// Empty unless the form was refused. The message of each field links to it.
#[component]
pub fn ErrorSummary() -> impl IntoView {
    use_context::<Refused>().map(|refused| {
        let links = refused.fields.into_iter().map(|(field, message)| {
            view! {
                <li>
                    <a href=format!("#{}", field_id(&field))>{message}</a>
                </li>
            }
        });
        let links = links.collect::<Vec<_>>();
        let message = if refused.message.is_empty() {
            "Please correct the fields below".to_owned()
        } else {
            refused.message
        };
        view! {
            <div class="error-summary" role="alert" tabindex="-1" autofocus>
                <p class="error-summary-title">{message}</p>
                {(!links.is_empty()).then_some(view! { <ul>{links}</ul> })}
            </div>
        }
    })
}

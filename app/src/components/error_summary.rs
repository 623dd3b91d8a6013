//! The errors of a refused form, above its fields.

use leptos::prelude::*;

use crate::components::field::{Field, field_id, sentences};
use crate::model::Refused;

/// Empty unless the form was refused. The message of each field links to it. `fields` are those of
/// each form of the page.
#[component]
pub fn ErrorSummary(#[prop(optional)] fields: &'static [&'static [Field]]) -> impl IntoView {
    let refused = use_context::<Refused>().filter(|refused| refused.preview.is_none());
    refused.map(|refused| {
        let links = sentences(&refused, fields).into_iter().map(|(field, message)| {
            view! {
                <li>
                    <a href=format!("#{}", field_id(&field))>{message}</a>
                </li>
            }
        });
        let links = links.collect::<Vec<_>>();
        let message = if refused.message.is_empty() {
            match links.len() {
                1 => "Please fix 1 thing".to_owned(),
                errors => format!("Please fix {errors} things"),
            }
        } else {
            refused.message
        };
        view! {
            <div class="error-summary" role="alert" tabindex="-1" autofocus>
                <p class="error-summary-title">{message}</p>
                {(!links.is_empty()).then_some(view! { <ul>{links}</ul> })}
                {refused
                    .next_step
                    .map(|step| {
                        view! {
                            <p>
                                <a href=step.path>{step.label}</a>
                            </p>
                        }
                    })}
            </div>
        }
    })
}

//! The operator's settings in force, in words.

use leptos::prelude::*;

use crate::model::SettingInForce;

#[component]
pub fn SettingsInForce(settings: Vec<SettingInForce>) -> impl IntoView {
    let names = settings.iter().map(|setting| {
        view! { <li>{setting.subject} ": " <code>{setting.name}</code></li> }
    });
    let names = names.collect::<Vec<_>>();
    let rows = settings.into_iter().map(|SettingInForce { subject, words, .. }| {
        view! {
            <div>
                <dt>{subject}</dt>
                <dd>{words}</dd>
            </div>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="settings">
            <h2 id="settings">"Settings in force"</h2>
            <p>"The operator of the server chooses them; they take effect at the next start."</p>
            <dl class="admin-facts">{rows.collect::<Vec<_>>()}</dl>
            <details>
                <summary>"Where to change them"</summary>
                <p>"In the file farthing.toml, by these names, or as flags or variables of the server."</p>
                <ul>{names}</ul>
            </details>
        </section>
    }
}

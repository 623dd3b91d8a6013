//! What a run does to each person.

use leptos::prelude::*;

use crate::components::money::{StaticValue, amount_in};
use crate::components::name::Name;
use crate::model::{BaseUnit, RunLine, RunPreview};

/// Rows of a preview that are shown.
const ROWS_MAX: usize = 100;

/// The rows, and what stays in the pot.
#[component]
pub fn RunTable(preview: RunPreview, unit: BaseUnit) -> impl IntoView {
    let RunPreview { rows, kept, .. } = preview;
    let more = rows.len().saturating_sub(ROWS_MAX);
    let more = (more > 0).then(|| view! { <p class="hint">{format!("And {more} more rows.")}</p> });
    let kept = kept.map(|kept| {
        view! { <p>{format!("{} stays for the next time.", amount_in(&kept, &unit))}</p> }
    });
    let rows =
        rows.into_iter().take(ROWS_MAX).map(|row| view! { <Row row unit=unit.clone() /> }).collect_view();
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="Rows of the preview">
            <table class="import-preview">
                <thead>
                    <tr>
                        <th scope="col">"Person"</th>
                        <th scope="col">"Change"</th>
                        <th scope="col">"Before"</th>
                        <th scope="col">"After"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {more}
        {kept}
    }
    .into_any()
}

#[component]
fn Row(row: RunLine, unit: BaseUnit) -> impl IntoView {
    let RunLine { name, amount, asked, before, after } = row;
    let asked = asked.map(|asked| {
        view! { <span class="hint">{format!(" of {asked}: the cap")}</span> }
    });
    view! {
        <tr>
            <td>
                <Name text=name />
            </td>
            <td class="ledger-amount">
                <StaticValue amount unit=unit.clone() />
                {asked}
            </td>
            <td class="ledger-amount">
                <StaticValue amount=before unit=unit.clone() />
            </td>
            <td class="ledger-amount">
                <StaticValue amount=after unit />
            </td>
        </tr>
    }
    .into_any()
}

//! The pages of groups.

pub mod cards;
pub(super) mod facts;
mod failures;
pub mod import;
mod leave;
pub mod list;
pub mod new;
pub mod people;
mod removed;
pub mod show;

use app::components::field::Field;
use app::model::Refused;
use app::request::query_part;
use leptos::prelude::*;

pub const NAME: Field = Field::new("name", "Name", "Enter a name, such as Class 4b.");
pub const CODE: Field = Field::new("code", "Code", "Enter the six letters and digits of the group.");
/// The field for a list of names.
pub const NAMES: Field = Field::new("names", "Names", "Enter a name in each line.").called("the names");

/// The success message of the last action.
#[component]
pub fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "created" => "The group is ready. Add its people, and choose it in the settings of an auction.",
        "saved" => "The group is saved.",
        "joined" => "You are in the group.",
        "code" => "The group has a new code. Cards with the old one sign nobody in.",
        "open" => "All numbers are open for ten minutes: wrong PINs lock none of them.",
        "changed" => "The change is saved.",
        "removed" => "The person is removed.",
        "readmitted" => "The person can join with the code again.",
        "left" => "You have left the group.",
        "deleted" => "The group is deleted.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

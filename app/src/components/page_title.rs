//! The title of the document, which the window or tab shows.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::components::escaped::escaped;
use crate::components::name::isolated;
use crate::model::Refused;

/// Sets the title of the document. It says first if a form was refused, since a screen reader reads it first.
#[component]
pub fn PageTitle(#[prop(into)] text: String) -> impl IntoView {
    let title = title(&text);
    let title = if use_context::<Refused>().is_some_and(|refused| refused.preview.is_none()) {
        format!("Error: {title}")
    } else {
        title
    };
    view! { <Title text=title /> }
}

/// The title as HTML. It is escaped here because `leptos_meta` does not escape it, and users choose the names of
/// items.
fn title(text: &str) -> String {
    format!("{} · Farthing", escaped(&isolated(text)))
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn names_are_escaped() {
        assert_eq!(title("</title><script>"), "&lt;/title&gt;&lt;script&gt; · Farthing");
        assert_eq!(title("\u{5e9}"), "\u{2068}\u{5e9}\u{2069} · Farthing");
        assert_eq!(title("Cups & saucers"), "Cups &amp; saucers · Farthing");
    }
}

//! The title of the document.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::components::escaped::escaped;

/// Names the page in the window's title.
#[component]
pub fn PageTitle(#[prop(into)] text: String) -> impl IntoView {
    view! { <Title text=title(&text) /> }
}

/// The title as it stands in the document. `leptos_meta` writes it there as it is given, and names of items
/// are written by people, so it is escaped here.
fn title(text: &str) -> String {
    format!("{} · Farthing", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_name_stays_text() {
        assert_eq!(title("</title><script>"), "&lt;/title&gt;&lt;script&gt; · Farthing");
        assert_eq!(title("Cups & saucers"), "Cups &amp; saucers · Farthing");
    }
}

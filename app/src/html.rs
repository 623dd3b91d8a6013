//! The rendered view of a page.

use leptos::prelude::*;
use leptos::tachys::html::InertElement;

/// HTML of a page, which [`render`](crate::render::render) puts the document around.
pub struct Html {
    text: String,
    /// Without the header and the footer of the site.
    pub(crate) is_bare: bool,
}

/// Renders the view of a page. Each page calls it, so that its view is compiled once, in this crate, and its
/// type ends there.
pub fn html(view: impl IntoView) -> Html {
    Html { text: view.into_view().to_html(), is_bare: false }
}

/// Renders the view of a page that fills the whole screen.
pub fn bare_html(view: impl IntoView) -> Html {
    Html { is_bare: true, ..html(view) }
}

impl Html {
    pub(crate) fn into_element(self) -> InertElement {
        InertElement::new(self.text)
    }
}

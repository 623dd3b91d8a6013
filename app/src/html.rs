//! The rendered view of a page.

use leptos::prelude::*;
use leptos::tachys::html::InertElement;

/// HTML of a page, which [`render`](crate::render::render) puts the document around.
pub struct Html(String);

/// Renders the view of a page. Each page calls it, so that its view is compiled once, in this crate, and its
/// type ends there.
pub fn html(view: impl IntoView) -> Html {
    Html(view.into_view().to_html())
}

impl Html {
    pub(crate) fn into_element(self) -> InertElement {
        InertElement::new(self.0)
    }
}

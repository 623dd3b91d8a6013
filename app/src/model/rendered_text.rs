//! Texts of users as HTML.

use std::sync::Arc;

/// A text of a user as HTML that is safe on a page. Clones share it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedText(Arc<str>);

impl RenderedText {
    /// `html` contains no HTML that a user has typed.
    #[cfg(feature = "ssr")]
    pub(crate) fn safe(html: String) -> Self {
        Self(html.into())
    }

    pub fn html(&self) -> &str {
        &self.0
    }
}

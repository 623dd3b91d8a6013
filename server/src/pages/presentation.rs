//! What the page of an auction has in common with that of an item.

use app::model::RenderedText;
use platform::time::Moment;

use super::money_style::MoneyStyle;

/// How a page shows its subject.
pub struct Presentation {
    pub description: RenderedText,
    pub style: MoneyStyle,
    pub now: Moment,
}

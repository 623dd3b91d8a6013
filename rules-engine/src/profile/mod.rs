//! Currency profiles: how one currency of an auction is entered, rounded and converted (section 4).

mod bid;
mod definition;
mod parsed;

pub use bid::NormalizedBid;
pub(crate) use bid::ValueError;
pub(crate) use definition::ProfileText;
pub use definition::{DenominationDefinition, InputMode, ProfileDefinition};
pub use parsed::Profile;
pub(crate) use parsed::{BoundDenomination, Counts};

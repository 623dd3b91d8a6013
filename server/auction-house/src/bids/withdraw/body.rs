//! What a request says about a withdrawal.

use platform::fields::{FieldError, Object};
use platform::shape::{self, Members, Shape};

use crate::bids::withdrawal::WithdrawalReason;

/// Why a bid is to be withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub reason: WithdrawalReason,
    /// 1–500 characters.
    pub note: Option<String>,
}

/// The body of a request for a withdrawal.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalBody {
    reason: Option<WithdrawalReason>,
    note: String,
}

impl Shape for WithdrawalBody {
    const NAME: &'static str = "NewWithdrawal";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .required("reason", &mut self.reason)
            .about("MISTYPED or WRONG_ITEM for a bid of one's own.")
            .of::<WithdrawalReason>();
        members.text("note", 0..=500, &mut self.note);
    }
}

impl Explanation {
    /// # Errors
    /// The invalid members.
    pub fn read(object: Object) -> Result<Self, Vec<FieldError>> {
        let WithdrawalBody { reason, note } = shape::parse(object)?;
        let reason = reason.ok_or_else(|| vec![FieldError::missing("reason")])?;
        let note = Some(note.trim()).filter(|note| !note.is_empty()).map(str::to_owned);
        Ok(Self { reason, note })
    }
}

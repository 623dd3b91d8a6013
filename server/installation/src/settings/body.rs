//! The body of a request to change the settings.

use platform::email::Email;
use platform::shape::{Members, Shape};
use utoipa::openapi::{KnownFormat, SchemaFormat};

pub const ADMIN: &str = "deploymentAdminEmail";
pub const AUTO_CHECK: &str = "autoCheckUpdates";
pub const ADMIN_SECOND_FACTOR: &str = "adminSecondFactor";
pub const CLAIM_CODE: &str = "claimCode";

/// Requested changes. Absent members are unchanged.
#[derive(Debug, Clone, Default)]
pub struct SettingsPatch {
    pub admin: Option<Email>,
    pub auto_check: Option<bool>,
    pub admin_second_factor: Option<bool>,
    /// Compared before the patch is parsed. Ignored if the operator requires none.
    pub claim_code: Option<String>,
}

impl Shape for SettingsPatch {
    const NAME: &'static str = "SystemSettingsPatch";
    const ABOUT: &'static str =
        "Absent members are unchanged. Null is refused: the administration is transferred, never dropped.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .parsed_change(ADMIN, &mut self.admin)
            .format(SchemaFormat::KnownFormat(KnownFormat::Email))
            .about(
                "Without a Deployment Admin, the caller's own e-mail. From the Deployment Admin, that of a registered \
                 user.",
            );
        members.flag_change(AUTO_CHECK, &mut self.auto_check).about("From the Deployment Admin only.");
        members.flag_change(ADMIN_SECOND_FACTOR, &mut self.admin_second_factor).about(
            "From the Deployment Admin only, who has a second factor: that role is then for accounts with one only.",
        );
        members.optional(CLAIM_CODE, &mut self.claim_code).about(
            "The one-time code that the log and `farthing admin claim-code` show. Needed to claim the administration if \
             the operator requires it.",
        );
    }
}

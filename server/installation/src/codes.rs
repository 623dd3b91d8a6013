//! Codes of the refusals of the installation, and those of the crates below.

pub use accounts::codes::*;

platform::codes! {
    DEPLOYMENT_ADMIN_TAKEN = FORBIDDEN, "Another user is the Deployment Admin";
    CLAIM_CODE_REQUIRED = FORBIDDEN, "The claim code is missing or wrong";
    UPDATE_IN_PROGRESS = CONFLICT, "An update is under way";
    RESTORE_REQUIRED = CONFLICT, "The last update failed: its backup has to be restored first";
    NOTHING_TO_ROLL_BACK = CONFLICT, "There is no previous release to return to";
    CLAIM_FOR_SELF_ONLY = UNPROCESSABLE_ENTITY, "Claim the administration with your own e-mail";
}

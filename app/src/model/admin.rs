//! The Deployment Administration.

/// What the viewer finds there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminPage {
    /// Nobody is the Deployment Admin, and so the viewer may be.
    Unclaimed,
    /// Another user is.
    Taken,
    Mine(Administration),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administration {
    pub version: VersionFacts,
    pub auto_check_updates: bool,
    /// What was done, newest first.
    pub log: Vec<Deed>,
}

/// Which version runs, and which there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFacts {
    pub current: String,
    /// The current one where nothing is known.
    pub latest: String,
    pub update_available: bool,
    /// The notes of the latest: an https address.
    pub release_url: Option<String>,
    /// Why nothing is known, or nothing new.
    pub check_error: Option<String>,
}

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    pub at: i64,
    /// Nobody: the owner of the machine, from its shell.
    pub actor: Option<String>,
    /// What was done, as a sentence goes on after the actor.
    pub words: String,
}

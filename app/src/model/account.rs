//! The data of the page of one's own account.

/// The viewer's account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPage {
    pub name: String,
    pub email: String,
    /// BCP 47.
    pub locale: Option<String>,
    /// The session of the page first, then the last used ones.
    pub sessions: Vec<SessionFacts>,
}

/// A browser in which the viewer is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    pub id: String,
    /// The browser and its system in words.
    pub client: String,
    /// Where the viewer signed in.
    pub address: String,
    pub created_at: i64,
    /// Up to an hour before the last request.
    pub last_used_at: i64,
    pub is_current: bool,
}

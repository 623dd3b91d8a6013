//! The way into a demo, which its start page and its sign-in page show.

/// Sign-ins of a demo, and pages worth a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoWindow {
    /// The password of all people.
    pub password: String,
    pub people: Vec<DemoSignIn>,
    pub pages: Vec<DemoPage>,
}

/// A user of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoSignIn {
    pub name: String,
    pub email: String,
    /// The user’s part in the demo, as words after the name.
    pub about: String,
}

/// A page of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPage {
    pub title: String,
    pub about: String,
    pub address: String,
    pub door: DemoDoor,
}

/// How a visitor comes to see a page of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DemoDoor {
    /// None is needed.
    Open,
    /// A sign-in with this e-mail.
    SignIn(String),
    /// A card.
    Card(DemoCard),
}

/// The card of a managed user of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoCard {
    pub code: String,
    pub number: i64,
    pub pin: String,
}

//! The data of an auction's currencies and rules.

use super::wire::wire_struct;

wire_struct! {
    /// A rule on the test bench: its text. The engine evaluates the rule itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BenchRule {
        pub id: String,
        pub words: String,
        /// Absent if the rule is for every currency.
        pub profile_id: Option<String>,
        pub enabled: bool,
    }
}

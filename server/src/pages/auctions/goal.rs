//! The sum that an auction is to bring in, and how much of it was bid.

use app::components::money::StaticValue;
use app::model::BaseUnit;
use leptos::prelude::*;

/// Sum that an auction is to bring in, and the sum that was bid so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalFacts {
    pub goal: String,
    pub raised: String,
    pub unit: BaseUnit,
    /// The sum that was bid, in thousandths of the goal: at most 1000.
    pub permille: u16,
}

#[component]
pub fn Goal(goal: GoalFacts) -> impl IntoView {
    let GoalFacts { goal, raised, unit, permille } = goal;
    let said = if permille < 1000 {
        format!("{}\u{a0}% of the goal", permille / 10)
    } else {
        "Goal reached".to_owned()
    };
    view! {
        <section class="goal" aria-label="Goal">
            <p class="goal-raised">
                <StaticValue amount=raised unit=unit.clone() />
                <span>"bid so far"</span>
            </p>
            <progress max="1000" value=permille aria-label="Share of the goal">
                {said.clone()}
            </progress>
            <p class="goal-of">
                <span>{said}</span>
                <span>"Goal " <StaticValue amount=goal unit /></span>
            </p>
        </section>
    }
}

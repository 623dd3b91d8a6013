//! The pages of an auction, at the head of each of them.

use leptos::prelude::*;

use crate::model::AuctionAccess;
use crate::request::request;

/// A page of an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionTab {
    Items,
    Members,
    Results,
    Clerk,
    Money,
    Share,
    Settings,
}

impl AuctionTab {
    const ALL: [Self; 7] =
        [Self::Items, Self::Members, Self::Results, Self::Clerk, Self::Money, Self::Share, Self::Settings];

    const fn label(self) -> &'static str {
        match self {
            Self::Items => "Items",
            Self::Members => "Members",
            Self::Results => "Results",
            Self::Clerk => "Clerk",
            Self::Money => "Money",
            Self::Share => "Share",
            Self::Settings => "Settings",
        }
    }

    /// The rest of the address.
    const fn path(self) -> &'static str {
        match self {
            Self::Items => "",
            Self::Members => "/members",
            Self::Results => "/results",
            Self::Clerk => "/clerk",
            Self::Money => "/currencies",
            Self::Share => "/share",
            Self::Settings => "/settings",
        }
    }

    fn is_for(self, access: AuctionAccess) -> bool {
        match self {
            Self::Items | Self::Results | Self::Share => true,
            Self::Members => access.is_member,
            Self::Clerk => access.runs_hall,
            Self::Money | Self::Settings => access.can_change,
        }
    }
}

/// `auction` is the path of its page.
#[component]
pub fn AuctionTabs(auction: String, current: AuctionTab, access: AuctionAccess) -> impl IntoView {
    let is_signed_in = request().viewer.is_some();
    let is_shown = |tab: &AuctionTab| match tab {
        AuctionTab::Share => is_signed_in,
        tab => *tab == current || tab.is_for(access),
    };
    let shown = AuctionTab::ALL.into_iter().filter(is_shown);
    let tabs = shown.map(|tab| {
        view! {
            <a href=format!("{auction}{}", tab.path()) aria-current=(tab == current).then_some("page")>
                {tab.label()}
            </a>
        }
    });
    view! {
        <nav class="tabs" aria-label="Auction">
            {tabs.collect_view()}
        </nav>
    }
}

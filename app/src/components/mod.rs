//! Components of the pages, one per file.

pub mod figures;
pub mod island_state;
pub mod moment;
pub mod money;
pub mod name;
pub mod status_badge;
pub mod time_left;
pub mod withdrawal;

#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod countdown;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod watch;

#[cfg(feature = "ssr")]
pub mod account_links;
#[cfg(feature = "ssr")]
pub mod auction_tabs;
#[cfg(feature = "ssr")]
pub mod bell;
#[cfg(feature = "ssr")]
pub mod description_field;
#[cfg(feature = "ssr")]
pub mod empty_state;
#[cfg(feature = "ssr")]
pub mod error_page;
#[cfg(feature = "ssr")]
pub mod error_summary;
#[cfg(feature = "ssr")]
pub mod escaped;
#[cfg(feature = "ssr")]
pub mod field;
#[cfg(feature = "ssr")]
pub mod field_rows;
#[cfg(feature = "ssr")]
pub mod footer;
#[cfg(feature = "ssr")]
pub mod header;
#[cfg(feature = "ssr")]
pub mod live_news;
#[cfg(feature = "ssr")]
pub mod logo;
#[cfg(feature = "ssr")]
pub mod moment_field;
#[cfg(feature = "ssr")]
pub mod own_funds;
#[cfg(feature = "ssr")]
pub mod page_description;
#[cfg(feature = "ssr")]
pub mod page_title;
#[cfg(feature = "ssr")]
pub mod pagination;
#[cfg(feature = "ssr")]
pub mod picture_field;
#[cfg(feature = "ssr")]
pub mod preview_facts;
#[cfg(feature = "ssr")]
pub mod prose;
#[cfg(feature = "ssr")]
pub mod qr_code;
#[cfg(feature = "ssr")]
pub mod saved_form;
#[cfg(feature = "ssr")]
pub mod side_nav;
#[cfg(feature = "ssr")]
pub mod unit_fields;

//! The routes of the API.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::streams;
use crate::http::openapi;
use crate::state::AppState;
use auction_house::auctions;
use auction_house::bids;
use auction_house::currencies;
use auction_house::items;
use auction_house::live;
use auction_house::members::{self, invites};
use auction_house::rules;
use installation::probes;
use installation::releases;
use installation::settings;
use installation::updates;

/// Routes with what they say of themselves in the OpenAPI document.
pub fn api() -> OpenApiRouter<AppState> {
    use auction_house::bids::sealed::withdraw::routes as withdraw_sealed;
    use auction_house::bids::withdraw::routes as withdraw;

    use accounts::change_preferences::routes as preferences;
    use accounts::manage::routes as users;
    use accounts::own_sessions::routes as own_sessions;
    use accounts::routes as account;
    use accounts::second_factor::routes as second_factor;
    use auction_house::bids::closing::routes as closing;
    use auction_house::bids::hammer::routes as hammer;
    use auction_house::bids::own::routes as own_bids;
    use auction_house::books::balances::routes as balances;
    use auction_house::books::import::routes as book_imports;
    use auction_house::books::routes as books;
    use auction_house::books::runs::routes as runs;
    use auction_house::books::waiting::routes as waiting;
    use auction_house::currency_sets::routes as currency_sets;
    use auction_house::export::routes as export;
    use auction_house::groups::people::export::routes as people_export;
    use auction_house::groups::routes as groups;
    use auction_house::inbox::routes as inbox;
    use auction_house::items::auction::routes as items_auction;
    use auction_house::items::calendar::routes as calendar;
    use auction_house::items::export::routes as item_export;
    use auction_house::items::images::routes as images;
    use auction_house::items::import::routes as item_import;
    use auction_house::items::outcomes::routes as outcomes;
    use auction_house::items::own::routes as own_items;
    use auction_house::items::running_order::routes as running_order;
    use auction_house::live::user::routes as user_events;
    use auction_house::people::routes as people;
    use auctions::routes as auctions;
    use bids::routes as bids;
    use currencies::routes as currencies;
    use invites::routes as invites;
    use items::routes as items;
    use live::routes as live;
    use members::routes as members;
    use probes::routes as probes;
    use releases::routes as releases;
    use rules::routes as rules;
    use settings::routes as settings;
    use updates::routes as updates;

    OpenApiRouter::with_openapi(openapi::outline())
        .routes(routes!(people::register))
        .routes(routes!(account::login))
        .routes(routes!(account::post_number))
        .routes(routes!(account::reset_password))
        .routes(routes!(account::post_forgot_password))
        .routes(routes!(people::confirm_email))
        .routes(routes!(account::logout))
        .routes(routes!(account::get_user, account::patch_user, people::delete_user))
        .routes(routes!(account::change_password))
        .routes(routes!(people::post_upgrade))
        .routes(routes!(account::post_email_link))
        .routes(routes!(second_factor::post_second_factor, second_factor::delete_second_factor))
        .routes(routes!(second_factor::post_confirm))
        .routes(routes!(second_factor::post_recovery_codes))
        .routes(routes!(own_sessions::get_sessions))
        .routes(routes!(own_sessions::delete_session))
        .routes(routes!(own_bids::get_own_bids))
        .routes(routes!(own_items::get_own_items))
        .routes(routes!(own_items::get_watched_items))
        .routes(routes!(auctions::get_auctions, auctions::post_auction))
        .routes(routes!(auctions::get_auction, items_auction::patch_auction, items_auction::delete_auction))
        .routes(routes!(closing::post_close))
        .routes(routes!(outcomes::get_outcomes))
        .routes(routes!(items::put_block))
        .routes(routes!(running_order::get_running_order, running_order::put_running_order))
        .routes(routes!(auctions::post_screen, auctions::delete_screen))
        .routes(routes!(export::get_export))
        .routes(routes!(calendar::get_calendar))
        .routes(routes!(members::post_join))
        .routes(routes!(members::post_invite_token))
        .routes(routes!(members::get_balance))
        .routes(routes!(members::get_members))
        .routes(routes!(members::put_present))
        .routes(routes!(members::patch_member, members::delete_member))
        .routes(routes!(members::post_transfer))
        .routes(routes!(invites::get_invites, invites::post_invite))
        .routes(routes!(invites::delete_invite))
        .routes(routes!(invites::get_invite, invites::post_accept))
        .routes(routes!(currencies::get_currencies, currencies::post_currency))
        .routes(routes!(currencies::get_currency, currencies::patch_currency, currencies::delete_currency))
        .routes(routes!(currency_sets::get_currency_set, currency_sets::post_currency_set))
        .routes(routes!(rules::get_rules, rules::post_rule))
        .routes(routes!(rules::get_rule, rules::patch_rule, rules::delete_rule))
        .routes(routes!(items::get_items, items::post_item))
        .routes(routes!(item_import::post_import))
        .routes(routes!(item_import::get_imports))
        .routes(routes!(item_import::post_undo))
        .routes(routes!(item_export::get_item_table))
        .routes(routes!(items::get_item, items::patch_item, items::delete_item))
        .routes(routes!(closing::post_close_item))
        .routes(routes!(closing::post_cancel_item))
        .routes(routes!(outcomes::patch_outcome, closing::post_outcome))
        .routes(routes!(images::get_images, images::post_image, images::patch_images))
        .routes(routes!(images::patch_image, images::delete_image))
        .routes(routes!(images::get_image))
        .routes(routes!(items::put_watch, items::delete_watch))
        .routes(routes!(items::post_schedule))
        .routes(routes!(items::post_copy))
        .routes(routes!(bids::get_bids, bids::post_bid))
        .routes(routes!(bids::post_validate))
        .routes(routes!(hammer::post_hammer))
        .routes(routes!(withdraw::post_withdraw))
        .routes(routes!(withdraw_sealed::post_withdraw_own))
        .routes(routes!(live::get_item_events))
        .routes(routes!(live::get_auction_events))
        .routes(routes!(user_events::get_user_events))
        .routes(routes!(streams::get_events))
        .routes(routes!(books::get_books, books::post_book))
        .routes(routes!(books::get_book, books::patch_book, books::delete_book))
        .routes(routes!(books::get_holders, books::post_holder))
        .routes(routes!(books::patch_holder, books::delete_holder))
        .routes(routes!(books::post_book_link))
        .routes(routes!(books::post_join_book))
        .routes(routes!(waiting::get_waiting))
        .routes(routes!(waiting::delete_waiting_grant))
        .routes(routes!(books::get_entries, books::post_entries))
        .routes(routes!(books::post_reverse))
        .routes(routes!(runs::get_runs, runs::post_run))
        .routes(routes!(runs::get_run))
        .routes(routes!(runs::post_reverse_run))
        .routes(routes!(book_imports::post_import))
        .routes(routes!(book_imports::get_imports))
        .routes(routes!(book_imports::post_undo_import))
        .routes(routes!(books::get_export))
        .routes(routes!(balances::get_balance_table))
        .routes(routes!(groups::get_groups, groups::post_group))
        .routes(routes!(groups::get_group, groups::patch_group, groups::delete_group))
        .routes(routes!(groups::post_group_code))
        .routes(routes!(groups::post_open))
        .routes(routes!(groups::delete_membership))
        .routes(routes!(groups::get_removed))
        .routes(routes!(groups::delete_removed))
        .routes(routes!(groups::post_undo_upgrade))
        .routes(routes!(groups::post_join_group))
        .routes(routes!(groups::get_people, groups::post_people))
        .routes(routes!(groups::post_people_import))
        .routes(routes!(groups::get_imports))
        .routes(routes!(groups::post_undo_import))
        .routes(routes!(people_export::get_people_table))
        .routes(routes!(groups::patch_person, groups::delete_person))
        .routes(routes!(inbox::get_notifications))
        .routes(routes!(inbox::post_read))
        .routes(routes!(preferences::get_preferences, preferences::patch_preferences))
        .routes(routes!(settings::get_settings, settings::patch_settings))
        .routes(routes!(users::get_system_users))
        .routes(routes!(users::patch_system_user))
        .routes(routes!(users::post_reset_link))
        .routes(routes!(releases::get_version))
        .routes(routes!(updates::get_update, updates::post_update))
        .routes(routes!(updates::post_rollback))
        .routes(routes!(updates::get_update_events))
        .routes(routes!(probes::healthz))
        .routes(routes!(probes::readyz))
}

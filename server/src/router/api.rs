//! The routes of the API.

use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

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
use platform::http::cross_site::Guard;

/// Routes with what they say of themselves in the OpenAPI document.
pub fn api() -> OpenApiRouter<AppState> {
    use auction_house::bids::withdraw::routes as withdraw;

    use accounts::manage::routes as users;
    use accounts::own_sessions::routes as own_sessions;
    use accounts::preferences::routes as preferences;
    use accounts::routes as account;
    use accounts::second_factor::routes as second_factor;
    use auction_house::bids::closing::routes as closing;
    use auction_house::bids::hammer::routes as hammer;
    use auction_house::bids::own::routes as own_bids;
    use auction_house::books::routes as books;
    use auction_house::currency_sets::routes as currency_sets;
    use auction_house::export::routes as export;
    use auction_house::groups::routes as groups;
    use auction_house::inbox::routes as inbox;
    use auction_house::items::auction::routes as items_auction;
    use auction_house::items::calendar::routes as calendar;
    use auction_house::items::images::routes as images;
    use auction_house::items::import::routes as item_import;
    use auction_house::items::outcomes::routes as outcomes;
    use auction_house::items::own::routes as own_items;
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
        .routes(sign_in(routes!(people::register)))
        .routes(sign_in(routes!(people::login)))
        .routes(sign_in(routes!(people::post_number)))
        .routes(sign_in(routes!(people::reset_password)))
        .routes(sign_in(routes!(people::post_forgot_password)))
        .routes(sign_in(routes!(people::confirm_email)))
        .routes(by_session(routes!(account::logout)))
        .routes(by_session(routes!(account::get_user, people::patch_user, people::delete_user)))
        .routes(by_session(routes!(people::change_password)))
        .routes(by_session(routes!(people::post_upgrade)))
        .routes(by_session(routes!(people::post_email_link)))
        .routes(by_session(routes!(second_factor::post_second_factor, second_factor::delete_second_factor)))
        .routes(by_session(routes!(second_factor::post_confirm)))
        .routes(by_session(routes!(second_factor::post_recovery_codes)))
        .routes(by_session(routes!(own_sessions::get_sessions)))
        .routes(by_session(routes!(own_sessions::delete_session)))
        .routes(by_session(routes!(own_bids::get_own_bids)))
        .routes(by_session(routes!(own_items::get_own_items)))
        .routes(by_session(routes!(own_items::get_watched_items)))
        .routes(by_session(routes!(auctions::get_auctions, auctions::post_auction)))
        .routes(by_session(routes!(
            auctions::get_auction,
            items_auction::patch_auction,
            auctions::delete_auction
        )))
        .routes(by_session(routes!(closing::post_close)))
        .routes(by_session(routes!(outcomes::get_outcomes)))
        .routes(by_session(routes!(items::put_block)))
        .routes(by_session(routes!(export::get_export)))
        .routes(by_session(routes!(calendar::get_calendar)))
        .routes(by_session(routes!(members::post_join)))
        .routes(by_session(routes!(members::post_invite_token)))
        .routes(by_session(routes!(members::get_balance)))
        .routes(by_session(routes!(members::get_members)))
        .routes(by_session(routes!(members::patch_member, members::delete_member)))
        .routes(by_session(routes!(members::post_transfer)))
        .routes(by_session(routes!(invites::get_invites, invites::post_invite)))
        .routes(by_session(routes!(invites::delete_invite)))
        .routes(by_session(routes!(invites::get_invite, invites::post_accept)))
        .routes(by_session(routes!(currencies::get_currencies, currencies::post_currency)))
        .routes(by_session(routes!(
            currencies::get_currency,
            currencies::patch_currency,
            currencies::delete_currency
        )))
        .routes(by_session(routes!(currency_sets::get_currency_set, currency_sets::post_currency_set)))
        .routes(by_session(routes!(rules::get_rules, rules::post_rule)))
        .routes(by_session(routes!(rules::get_rule, rules::patch_rule, rules::delete_rule)))
        .routes(by_session(routes!(items::get_items, items::post_item)))
        .routes(by_session(routes!(item_import::post_import)))
        .routes(by_session(routes!(items::get_item, items::patch_item, items::delete_item)))
        .routes(by_session(routes!(closing::post_close_item)))
        .routes(by_session(routes!(closing::post_cancel_item)))
        .routes(by_session(routes!(outcomes::patch_outcome, closing::post_outcome)))
        .routes(by_session(routes!(images::get_images, images::post_image, images::patch_images)))
        .routes(by_session(routes!(images::patch_image, images::delete_image)))
        .routes(by_session(routes!(images::get_image)))
        .routes(by_session(routes!(items::put_watch, items::delete_watch)))
        .routes(by_session(routes!(items::post_schedule)))
        .routes(by_session(routes!(items::post_copy)))
        .routes(by_session(routes!(bids::get_bids, bids::post_bid)))
        .routes(by_session(routes!(bids::post_validate)))
        .routes(by_session(routes!(hammer::post_hammer)))
        .routes(by_session(routes!(withdraw::post_withdraw)))
        .routes(by_session(routes!(live::get_item_events)))
        .routes(by_session(routes!(live::get_auction_events)))
        .routes(by_session(routes!(user_events::get_user_events)))
        .routes(by_session(routes!(books::get_books, books::post_book)))
        .routes(by_session(routes!(books::get_book, books::patch_book, books::delete_book)))
        .routes(by_session(routes!(books::get_holders, books::post_holder)))
        .routes(by_session(routes!(books::patch_holder, books::delete_holder)))
        .routes(by_session(routes!(books::post_book_link)))
        .routes(by_session(routes!(books::post_join_book)))
        .routes(by_session(routes!(books::get_entries, books::post_entries)))
        .routes(by_session(routes!(books::post_reverse)))
        .routes(by_session(routes!(books::post_import)))
        .routes(by_session(routes!(books::get_export)))
        .routes(by_session(routes!(groups::get_groups, groups::post_group)))
        .routes(by_session(routes!(groups::get_group, groups::patch_group, groups::delete_group)))
        .routes(by_session(routes!(groups::post_group_code)))
        .routes(by_session(routes!(groups::post_join_group)))
        .routes(by_session(routes!(groups::get_people, groups::post_people)))
        .routes(by_session(routes!(groups::post_people_import)))
        .routes(by_session(routes!(groups::patch_person, groups::delete_person)))
        .routes(by_session(routes!(inbox::get_notifications)))
        .routes(by_session(routes!(inbox::post_read)))
        .routes(by_session(routes!(preferences::get_preferences, preferences::patch_preferences)))
        .routes(by_session(routes!(settings::get_settings, settings::patch_settings)))
        .routes(by_session(routes!(users::get_system_users)))
        .routes(by_session(routes!(users::patch_system_user)))
        .routes(by_session(routes!(users::post_reset_link)))
        .routes(routes!(releases::get_version))
        .routes(by_session(routes!(updates::get_update, updates::post_update)))
        .routes(by_session(routes!(updates::post_rollback)))
        .routes(by_session(routes!(updates::get_update_events)))
        .routes(routes!(probes::healthz))
        .routes(routes!(probes::readyz))
}

/// Routes that authenticate by the session cookie.
fn by_session(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(Guard::Cookie))
}

/// Routes that prove who the user is without a session.
fn sign_in(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(Guard::Always))
}

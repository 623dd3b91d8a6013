//! The whole site at a glance: every route in one table.

use axum::Router;
use axum::routing::{MethodRouter, get, post};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::http::layers::layered;
use crate::http::openapi;
use crate::pages;
use crate::site;
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
fn api() -> OpenApiRouter<AppState> {
    use auction_house::bids::withdraw::routes as withdraw;

    use accounts::manage::routes as users;
    use accounts::own_sessions::routes as own_sessions;
    use accounts::preferences::routes as preferences;
    use accounts::routes as account;
    use auction_house::bids::closing::routes as closing;
    use auction_house::bids::own::routes as own_bids;
    use auction_house::books::routes as books;
    use auction_house::export::routes as export;
    use auction_house::inbox::routes as inbox;
    use auction_house::items::images::routes as images;
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
        .routes(sign_in(routes!(account::login)))
        .routes(sign_in(routes!(account::reset_password)))
        .routes(sign_in(routes!(people::post_forgot_password)))
        .routes(by_session(routes!(account::logout)))
        .routes(by_session(routes!(account::get_user, account::patch_user, people::delete_user)))
        .routes(by_session(routes!(account::change_password)))
        .routes(by_session(routes!(own_sessions::get_sessions)))
        .routes(by_session(routes!(own_sessions::delete_session)))
        .routes(by_session(routes!(own_bids::get_own_bids)))
        .routes(by_session(routes!(own_items::get_own_items)))
        .routes(by_session(routes!(own_items::get_watched_items)))
        .routes(by_session(routes!(auctions::get_auctions, auctions::post_auction)))
        .routes(by_session(routes!(auctions::get_auction, auctions::patch_auction, auctions::delete_auction)))
        .routes(by_session(routes!(closing::post_close)))
        .routes(by_session(routes!(outcomes::get_outcomes)))
        .routes(by_session(routes!(export::get_export)))
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
        .routes(by_session(routes!(rules::get_rules, rules::post_rule)))
        .routes(by_session(routes!(rules::get_rule, rules::patch_rule, rules::delete_rule)))
        .routes(by_session(routes!(items::get_items, items::post_item)))
        .routes(by_session(routes!(items::get_item, items::patch_item, items::delete_item)))
        .routes(by_session(routes!(closing::post_close_item)))
        .routes(by_session(routes!(closing::post_cancel_item)))
        .routes(by_session(routes!(outcomes::patch_outcome, outcomes::post_outcome)))
        .routes(by_session(routes!(images::get_images, images::post_image, images::patch_images)))
        .routes(by_session(routes!(images::patch_image, images::delete_image)))
        .routes(by_session(routes!(images::get_image)))
        .routes(by_session(routes!(items::put_watch, items::delete_watch)))
        .routes(by_session(routes!(items::post_schedule)))
        .routes(by_session(routes!(items::post_copy)))
        .routes(by_session(routes!(bids::get_bids, bids::post_bid)))
        .routes(by_session(routes!(bids::post_validate)))
        .routes(by_session(routes!(withdraw::post_withdraw)))
        .routes(by_session(routes!(live::get_item_events)))
        .routes(by_session(routes!(live::get_auction_events)))
        .routes(by_session(routes!(user_events::get_user_events)))
        .routes(by_session(routes!(books::get_books, books::post_book)))
        .routes(by_session(routes!(books::get_book, books::patch_book, books::delete_book)))
        .routes(by_session(routes!(books::get_holders, books::post_holder)))
        .routes(by_session(routes!(books::patch_holder)))
        .routes(by_session(routes!(books::get_entries, books::post_entries)))
        .routes(by_session(routes!(books::post_reverse)))
        .routes(by_session(routes!(books::post_import)))
        .routes(by_session(routes!(books::get_export)))
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

/// Pages, the forms on them, and the files that they load.
fn pages() -> Router<AppState> {
    use pages::posted::{parent, same, takes};
    use pages::show::{not_found, show, wrong_method};
    use pages::{
        account, admin, auction_settings, auctions, bid, book_import, books, currencies, items, members,
        new_item, notifications, outcomes, own_account, pictures, rules,
    };

    Router::new()
        .route("/", get(show))
        .route("/register", get(show).merge(form(post(account::post_register))))
        .route("/sign-in", get(show).merge(form(post(account::post_sign_in))))
        .route("/reset-password/{token}", get(show).merge(form(post(account::post_reset_password))))
        .route("/forgot-password", get(show).merge(form(post(account::post_forgot_password))))
        .route("/unsubscribe/{token}/{kind}", get(show).merge(form(post(account::post_unsubscribe))))
        .route("/sign-out", form(post(account::post_sign_out)))
        .route("/account", get(show))
        .route("/account/profile", form(takes(own_account::change_profile, own_account::page)))
        .route("/account/preferences", form(takes(own_account::change_preferences, own_account::page)))
        .route("/account/email", form(takes(own_account::change_email, own_account::page)))
        .route("/account/password", form(takes(own_account::change_password, own_account::page)))
        .route("/account/sessions/{session_id}/end", form(takes(own_account::end_session, own_account::page)))
        .route(
            "/account/sessions/end-others",
            form(takes(own_account::end_other_sessions, own_account::page)),
        )
        .route("/account/delete", form(takes(own_account::delete, own_account::page)))
        .route("/notifications", get(show))
        .route("/notifications/read", form(takes(notifications::read_all, parent)))
        .route(
            "/notifications/{notification_id}/read",
            form(takes(notifications::read_one, notifications::page)),
        )
        .route("/join/{token}", get(show).merge(form(takes(members::join_by_link, same))))
        .route("/invites/{token}", get(show).merge(form(takes(members::accept, same))))
        .route("/admin", get(show))
        .route("/admin/claim", form(takes(admin::claim, parent)))
        .route("/admin/transfer", form(takes(admin::transfer, parent)))
        .route("/admin/checks", form(takes(admin::checks, parent)))
        .route("/admin/look-up", form(takes(admin::look_up, parent)))
        .route("/admin/update", form(takes(admin::update, parent)))
        .route("/admin/rollback", form(takes(admin::roll_back, parent)))
        .route("/admin/backup", form(takes(admin::back_up, parent)))
        .route("/admin/restore", form(takes(admin::restore, parent)))
        .route("/dashboard", get(show))
        .route("/dashboard/bids", get(show))
        .route("/dashboard/items", get(show))
        .route("/dashboard/watched", get(show))
        .route("/auctions", get(show))
        .route("/auctions/new", get(show).merge(form(takes(auctions::create, same))))
        .route("/auctions/{auction_id}", get(show))
        .route("/auctions/{auction_id}/join", form(takes(auctions::join, parent)))
        .route(
            "/auctions/{auction_id}/settings",
            get(show).merge(form(takes(auction_settings::change, same))),
        )
        .route("/auctions/{auction_id}/settings/copy", form(takes(auction_settings::copy, parent)))
        .route("/auctions/{auction_id}/settings/schedule", form(takes(auction_settings::schedule, parent)))
        .route("/auctions/{auction_id}/settings/close", form(takes(auction_settings::close, parent)))
        .route("/auctions/{auction_id}/settings/delete", form(takes(auction_settings::delete, parent)))
        .route("/auctions/{auction_id}/members", get(show))
        .route("/auctions/{auction_id}/members/link", form(takes(members::new_link, members::page)))
        .route("/auctions/{auction_id}/members/invites", form(takes(members::invite, members::page)))
        .route(
            "/auctions/{auction_id}/members/invites/{invite_id}/delete",
            form(takes(members::delete_invite, members::page)),
        )
        .route("/auctions/{auction_id}/members/transfer", form(takes(members::transfer, members::page)))
        .route(
            "/auctions/{auction_id}/members/{user_id}/role",
            form(takes(members::give_role, members::page)),
        )
        .route("/auctions/{auction_id}/members/{user_id}/remove", form(takes(members::remove, members::page)))
        .route("/auctions/{auction_id}/results", get(show))
        .route("/auctions/{auction_id}/currencies", get(show))
        .route("/auctions/{auction_id}/currencies/base-unit", form(takes(currencies::name_base_unit, parent)))
        .route(
            "/auctions/{auction_id}/currencies/new",
            get(show).merge(form(takes(currencies::create, same))),
        )
        .route(
            "/auctions/{auction_id}/currencies/{currency_id}",
            get(show).merge(form(takes(currencies::change, same))),
        )
        .route(
            "/auctions/{auction_id}/currencies/{currency_id}/delete",
            form(takes(currencies::delete, parent)),
        )
        .route("/auctions/{auction_id}/currency-rules/new", get(show).merge(form(takes(rules::create, same))))
        .route(
            "/auctions/{auction_id}/currency-rules/{rule_id}",
            get(show).merge(form(takes(rules::change, same))),
        )
        .route("/auctions/{auction_id}/currency-rules/{rule_id}/delete", form(takes(rules::delete, parent)))
        .route(
            "/auctions/{auction_id}/currency-rules/{rule_id}/up",
            form(takes(rules::move_up, rules::list_page)),
        )
        .route(
            "/auctions/{auction_id}/currency-rules/{rule_id}/down",
            form(takes(rules::move_down, rules::list_page)),
        )
        .route(
            "/auctions/{auction_id}/currency-rules/{rule_id}/switch",
            form(takes(rules::switch, rules::list_page)),
        )
        .route("/auctions/{auction_id}/items/new", get(show).merge(form(post(new_item::create))))
        .route(
            "/auctions/{auction_id}/items/{item_id}/edit",
            get(show).merge(form(takes(items::change, same))),
        )
        .route("/auctions/{auction_id}/items/{item_id}/edit/delete", form(takes(items::delete, parent)))
        .route("/auctions/{auction_id}/items/{item_id}/pictures", get(show).merge(form(post(pictures::add))))
        .route(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/alt",
            form(takes(pictures::describe, pictures::page_above)),
        )
        .route(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/up",
            form(takes(pictures::move_up, pictures::page_above)),
        )
        .route(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/down",
            form(takes(pictures::move_down, pictures::page_above)),
        )
        .route(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/remove",
            form(takes(pictures::remove, pictures::page_above)),
        )
        .route("/auctions/{auction_id}/items/{item_id}/watch", form(takes(items::watch, parent)))
        .route("/auctions/{auction_id}/items/{item_id}", get(show).merge(form(post(bid::post_bid))))
        .route("/auctions/{auction_id}/items/{item_id}/bids", get(show))
        .route(
            "/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw",
            get(show).merge(form(takes(bid::withdraw, same))),
        )
        .route("/auctions/{auction_id}/items/{item_id}/close", form(takes(outcomes::end, parent)))
        .route("/auctions/{auction_id}/items/{item_id}/cancel", form(takes(outcomes::cancel, parent)))
        .route("/auctions/{auction_id}/items/{item_id}/outcome", form(takes(outcomes::decide, parent)))
        .route(
            "/auctions/{auction_id}/items/{item_id}/outcome/mark",
            form(takes(outcomes::mark, outcomes::item_page)),
        )
        .route("/books", get(show))
        .route("/books/new", get(show).merge(form(takes(books::create, same))))
        .route("/books/{book_id}", get(show))
        .route("/books/{book_id}/settings", get(show).merge(form(takes(books::change, same))))
        .route("/books/{book_id}/settings/close", form(takes(books::close, parent)))
        .route("/books/{book_id}/settings/open", form(takes(books::open, parent)))
        .route("/books/{book_id}/settings/delete", form(takes(books::delete, parent)))
        .route("/books/{book_id}/entries", form(takes(books::grant, books::page)))
        .route(
            "/books/{book_id}/entries/{sequence}/reverse",
            form(takes(books::reverse, books::page_of_entry)),
        )
        .route("/books/{book_id}/holders", form(takes(books::add_holder, books::page)))
        .route("/books/{book_id}/holders/{user_id}/role", form(takes(books::give_role, books::page)))
        .route("/books/{book_id}/import", get(show).merge(form(takes(books::import, same))))
        .route("/books/{book_id}/import/file", form(post(book_import::import_file)))
        .route("/pkg/{file}", get(site::file))
        .route("/favicon.ico", get(site::favicon))
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
}

/// The document at `/api/openapi.json`.
pub fn document() -> OpenApi {
    openapi::complete(api().into_openapi())
}

/// Every route.
pub fn routes(state: AppState) -> Router {
    let (api, document) = api().split_for_parts();
    let document = openapi::complete(document);
    api.merge(openapi::page(document)).merge(pages()).with_state(state)
}

/// Every route with the layers around them.
pub fn site(state: AppState) -> Router {
    layered(routes(state.clone()), &state)
}

/// Routes that authenticate by the session cookie.
fn by_session(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(Guard::Cookie))
}

/// Routes that prove who the user is without a session.
fn sign_in(routes: UtoipaMethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    routes.map(|methods| methods.route_layer(Guard::Always))
}

/// Forms, which must come from a page of this site, signed in or not.
fn form(methods: MethodRouter<AppState>) -> MethodRouter<AppState> {
    methods.route_layer(Guard::Always)
}

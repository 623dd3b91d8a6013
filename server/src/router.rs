//! The whole site at a glance: every route in one table.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, Uri};
use axum::routing::{MethodRouter, get, post};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::http::layers::layered;
use crate::http::openapi;
use crate::pages;
use crate::pages::fallback::{not_found, wrong_method};
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
    use auction_house::items::auction::routes as items_auction;
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
        .routes(by_session(routes!(
            auctions::get_auction,
            items_auction::patch_auction,
            auctions::delete_auction
        )))
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

/// Pages, their forms, and the files that they load.
fn pages() -> Router<AppState> {
    use pages::account::{forgot_password, register, reset_password, show as own_account, sign_in};
    use pages::admin::show as admin;
    use pages::auctions::{list as auctions, new as new_auction, results, settings, show as auction};
    use pages::books::{
        import, import_file, list as books, new as new_book, settings as book_settings, show as book,
    };
    use pages::currencies::{edit as currency, list as currencies, new as new_currency};
    use pages::dashboard::{lists, show as dashboard};
    use pages::form_route::{form_route, up};
    use pages::items::{bids, edit as edit_item, new as new_item, outcome, pictures, show as item, withdraw};
    use pages::joining::{invite, link};
    use pages::members::show as members;
    use pages::notifications::{list as notifications, unsubscribe};
    use pages::rules::{buttons as rules, edit as rule, new as new_rule};
    use pages::start;

    let Pages { routes, paths } = Pages::default()
        .page("/", start::show)
        .page_with_form("/register", register::show, post(register::post_register))
        .page_with_form("/sign-in", sign_in::show, post(sign_in::post_sign_in))
        .page_with_form(
            "/reset-password/{token}",
            reset_password::show,
            post(reset_password::post_reset_password),
        )
        .page_with_form(
            "/forgot-password",
            forgot_password::show,
            post(forgot_password::post_forgot_password),
        )
        .page_with_form("/unsubscribe/{token}/{kind}", unsubscribe::show, post(unsubscribe::post_unsubscribe))
        .form("/sign-out", post(sign_in::post_sign_out))
        .page("/account", own_account::show)
        .form("/account/profile", form_route(own_account::change_profile).page_at(up::<1>, own_account::show))
        .form(
            "/account/preferences",
            form_route(own_account::change_preferences).page_at(up::<1>, own_account::show),
        )
        .form("/account/email", form_route(own_account::change_email).page_at(up::<1>, own_account::show))
        .form(
            "/account/password",
            form_route(own_account::change_password).page_at(up::<1>, own_account::show),
        )
        .form(
            "/account/sessions/{session_id}/end",
            form_route(own_account::end_session).page_at(up::<3>, own_account::show),
        )
        .form(
            "/account/sessions/end-others",
            form_route(own_account::end_other_sessions).page_at(up::<2>, own_account::show),
        )
        .form("/account/delete", form_route(own_account::delete).page_at(up::<1>, own_account::show))
        .page("/notifications", notifications::show)
        .form(
            "/notifications/read",
            form_route(notifications::read_all).page_at(up::<1>, notifications::show),
        )
        .form(
            "/notifications/{notification_id}/read",
            form_route(notifications::read_one).page_at(up::<2>, notifications::show),
        )
        .page_with_form("/join/{token}", link::show, form_route(link::join_by_link).page(link::show))
        .page_with_form("/invites/{token}", invite::show, form_route(invite::accept).page(invite::show))
        .page("/admin", admin::show)
        .form("/admin/claim", form_route(admin::claim).page_at(up::<1>, admin::show))
        .form("/admin/transfer", form_route(admin::transfer).page_at(up::<1>, admin::show))
        .form("/admin/checks", form_route(admin::checks).page_at(up::<1>, admin::show))
        .form("/admin/look-up", form_route(admin::look_up).page_at(up::<1>, admin::show))
        .form("/admin/update", form_route(admin::update).page_at(up::<1>, admin::show))
        .form("/admin/rollback", form_route(admin::roll_back).page_at(up::<1>, admin::show))
        .form("/admin/backup", form_route(admin::back_up).page_at(up::<1>, admin::show))
        .form("/admin/restore", form_route(admin::restore).page_at(up::<1>, admin::show))
        .page("/dashboard", dashboard::show)
        .page("/dashboard/bids", lists::bids)
        .page("/dashboard/items", lists::sold)
        .page("/dashboard/watched", lists::watched)
        .page("/auctions", auctions::show)
        .page_with_form(
            "/auctions/new",
            new_auction::show,
            form_route(new_auction::create).page(new_auction::show),
        )
        .page("/auctions/{auction_id}", auction::show)
        .form("/auctions/{auction_id}/join", form_route(auction::join).page_at(up::<1>, auction::show))
        .page_with_form(
            "/auctions/{auction_id}/settings",
            settings::show,
            form_route(settings::change).page(settings::show),
        )
        .form(
            "/auctions/{auction_id}/settings/copy",
            form_route(settings::copy).page_at(up::<1>, settings::show),
        )
        .form(
            "/auctions/{auction_id}/settings/schedule",
            form_route(settings::schedule).page_at(up::<1>, settings::show),
        )
        .form(
            "/auctions/{auction_id}/settings/close",
            form_route(settings::close).page_at(up::<1>, settings::show),
        )
        .form(
            "/auctions/{auction_id}/settings/delete",
            form_route(settings::delete).page_at(up::<1>, settings::show),
        )
        .page("/auctions/{auction_id}/members", members::show)
        .form(
            "/auctions/{auction_id}/members/link",
            form_route(members::new_link).page_at(up::<1>, members::show),
        )
        .form(
            "/auctions/{auction_id}/members/invites",
            form_route(members::invite).page_at(up::<1>, members::show),
        )
        .form(
            "/auctions/{auction_id}/members/invites/{invite_id}/delete",
            form_route(members::delete_invite).page_at(up::<3>, members::show),
        )
        .form(
            "/auctions/{auction_id}/members/transfer",
            form_route(members::transfer).page_at(up::<1>, members::show),
        )
        .form(
            "/auctions/{auction_id}/members/{user_id}/role",
            form_route(members::give_role).page_at(up::<2>, members::show),
        )
        .form(
            "/auctions/{auction_id}/members/{user_id}/remove",
            form_route(members::remove).page_at(up::<2>, members::show),
        )
        .page("/auctions/{auction_id}/results", results::show)
        .page("/auctions/{auction_id}/currencies", currencies::show)
        .form(
            "/auctions/{auction_id}/currencies/base-unit",
            form_route(currencies::name_base_unit).page_at(up::<1>, currencies::show),
        )
        .page_with_form(
            "/auctions/{auction_id}/currencies/new",
            new_currency::show,
            form_route(new_currency::create).page(new_currency::show),
        )
        .page_with_form(
            "/auctions/{auction_id}/currencies/{currency_id}",
            currency::show,
            form_route(currency::change).page(currency::show),
        )
        .form(
            "/auctions/{auction_id}/currencies/{currency_id}/delete",
            form_route(currency::delete).page_at(up::<1>, currency::show),
        )
        .page_with_form(
            "/auctions/{auction_id}/currency-rules/new",
            new_rule::show,
            form_route(new_rule::create).page(new_rule::show),
        )
        .page_with_form(
            "/auctions/{auction_id}/currency-rules/{rule_id}",
            rule::show,
            form_route(rule::change).page(rule::show),
        )
        .form(
            "/auctions/{auction_id}/currency-rules/{rule_id}/delete",
            form_route(rule::delete).page_at(up::<1>, rule::show),
        )
        .form(
            "/auctions/{auction_id}/currency-rules/{rule_id}/up",
            form_route(rules::move_up).page_at(rules::list_page, currencies::show),
        )
        .form(
            "/auctions/{auction_id}/currency-rules/{rule_id}/down",
            form_route(rules::move_down).page_at(rules::list_page, currencies::show),
        )
        .form(
            "/auctions/{auction_id}/currency-rules/{rule_id}/switch",
            form_route(rules::switch).page_at(rules::list_page, currencies::show),
        )
        .page_with_form("/auctions/{auction_id}/items/new", new_item::show, post(new_item::create))
        .page_with_form(
            "/auctions/{auction_id}/items/{item_id}/edit",
            edit_item::show,
            form_route(edit_item::change).page(edit_item::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/edit/delete",
            form_route(edit_item::delete).page_at(up::<1>, edit_item::show),
        )
        .page_with_form(
            "/auctions/{auction_id}/items/{item_id}/pictures",
            pictures::show,
            post(pictures::add),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/alt",
            form_route(pictures::describe).page_at(up::<2>, pictures::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/up",
            form_route(pictures::move_up).page_at(up::<2>, pictures::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/down",
            form_route(pictures::move_down).page_at(up::<2>, pictures::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/pictures/{image_id}/remove",
            form_route(pictures::remove).page_at(up::<2>, pictures::show),
        )
        .page_with_form("/auctions/{auction_id}/items/{item_id}", item::show, post(item::place_bid))
        .form(
            "/auctions/{auction_id}/items/{item_id}/watch",
            form_route(item::watch).page_at(up::<1>, item::show),
        )
        .page("/auctions/{auction_id}/items/{item_id}/bids", bids::show)
        .page_with_form(
            "/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw",
            withdraw::show,
            form_route(withdraw::withdraw).page(withdraw::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/close",
            form_route(outcome::end).page_at(up::<1>, item::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/cancel",
            form_route(outcome::cancel).page_at(up::<1>, item::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/outcome",
            form_route(outcome::decide).page_at(up::<1>, item::show),
        )
        .form(
            "/auctions/{auction_id}/items/{item_id}/outcome/mark",
            form_route(outcome::mark).page_at(up::<2>, item::show),
        )
        .page("/books", books::show)
        .page_with_form("/books/new", new_book::show, form_route(new_book::create).page(new_book::show))
        .page("/books/{book_id}", book::show)
        .page_with_form(
            "/books/{book_id}/settings",
            book_settings::show,
            form_route(book_settings::change).page(book_settings::show),
        )
        .form(
            "/books/{book_id}/settings/close",
            form_route(book_settings::close).page_at(up::<1>, book_settings::show),
        )
        .form(
            "/books/{book_id}/settings/open",
            form_route(book_settings::open).page_at(up::<1>, book_settings::show),
        )
        .form(
            "/books/{book_id}/settings/delete",
            form_route(book_settings::delete).page_at(up::<1>, book_settings::show),
        )
        .form("/books/{book_id}/entries", form_route(book::grant).page_at(up::<1>, book::show))
        .form(
            "/books/{book_id}/entries/{sequence}/reverse",
            form_route(book::reverse).page_at(book::page_of_entry, book::show),
        )
        .form("/books/{book_id}/holders", form_route(book::add_holder).page_at(up::<1>, book::show))
        .form(
            "/books/{book_id}/holders/{user_id}/role",
            form_route(book::give_role).page_at(up::<3>, book::show),
        )
        .page_with_form(
            "/books/{book_id}/import",
            import::show,
            form_route(import::import_rows).page(import::show),
        )
        .form("/books/{book_id}/import/file", post(import_file::import_file));
    let paths: Arc<[&'static str]> = paths.into();
    routes
        .route("/pkg/{file}", get(site::file))
        .route("/favicon.ico", get(site::favicon))
        .fallback(not_found)
        .method_not_allowed_fallback(move |method: Method, uri: Uri| {
            wrong_method(Arc::clone(&paths), method, uri)
        })
}

/// The routes of pages and forms, and the list of the pages.
#[derive(Default)]
struct Pages {
    routes: Router<AppState>,
    paths: Vec<&'static str>,
}

impl Pages {
    fn page<T: 'static>(mut self, path: &'static str, show: impl Handler<T, AppState>) -> Self {
        self.paths.push(path);
        Self { routes: self.routes.route(path, get(show)), ..self }
    }

    /// A page that has a form, which is posted to the page's address.
    fn page_with_form<T: 'static>(
        self,
        path: &'static str,
        show: impl Handler<T, AppState>,
        form: MethodRouter<AppState>,
    ) -> Self {
        self.page(path, show).form(path, form)
    }

    /// The address of a form, which must come from a page of this site, signed in or not.
    fn form(self, path: &'static str, form: MethodRouter<AppState>) -> Self {
        Self { routes: self.routes.route(path, form.route_layer(Guard::Always)), ..self }
    }
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

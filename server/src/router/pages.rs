//! The routes of pages and of their forms.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, Uri};
use axum::routing::{MethodRouter, get, post};
use serde::de::DeserializeOwned;

use crate::pages::fallback::{not_found, wrong_method};
use crate::pages::form_route::{NextPage, SessionFormRequest, form_route, up};
use crate::site;
use crate::state::AppState;
use platform::http::problem::Problem;

/// Pages, their forms, and the files that they load.
pub fn pages() -> Router<AppState> {
    use crate::pages::account::{
        confirm_email, forgot_password, register, reset_password, second_factor, show as own_account,
        sign_in, sign_in_code,
    };
    use crate::pages::admin::{show as admin, users};
    use crate::pages::auctions::{
        list as auctions, new as new_auction, new_settings, results, settings, share, show as auction,
    };
    use crate::pages::books::{
        import, join as join_book, list as books, new as new_book, runs, settings as book_settings,
        show as book,
    };
    use crate::pages::currencies::rules::{buttons as rules, edit as rule, new as new_rule};
    use crate::pages::currencies::{
        edit as currency, import as import_set, import_file as import_set_file, list as currencies,
        new as new_currency, try_template,
    };
    use crate::pages::dashboard::{lists, show as dashboard};
    use crate::pages::groups::{
        cards, import as import_people, list as groups, new as new_group, people, show as group,
    };
    use crate::pages::hall::{clerk, order, present, screen};
    use crate::pages::items::{
        bids, edit as edit_item, import as import_items, many, new as new_item, outcome, pictures,
        show as item, withdraw,
    };
    use crate::pages::joining::{go, invite, link, pictures as invitation_pictures};
    use crate::pages::members::show as members;
    use crate::pages::notifications::{list as notifications, no_invitations, unsubscribe};
    use crate::pages::{draw, start};

    let Table { routes, paths } = Table::default()
        .page("/", start::show)
        .post("sign-out", post(sign_in::post_sign_out))
        .page("/register", register::show)
        .post("", post(register::post_register))
        .page("/sign-in", sign_in::show)
        .post("", post(sign_in::post_sign_in))
        .page("/sign-in/code", sign_in_code::show)
        .post("", post(sign_in_code::post_code))
        .page("/draw", draw::show)
        .page("/go", go::show)
        .post("", post(go::post_go))
        .page("/reset-password/{token}", reset_password::show)
        .post("", post(reset_password::post_reset_password))
        .page("/forgot-password", forgot_password::show)
        .post("", post(forgot_password::post_forgot_password))
        .page("/confirm-email/{token}", confirm_email::show)
        .post("", post(confirm_email::post_confirm_email))
        .page("/unsubscribe/{token}/{kind}", unsubscribe::show)
        .post("", post(unsubscribe::post_unsubscribe))
        .page("/no-invitations/{token}", no_invitations::show)
        .post("", post(no_invitations::post_no_invitations))
        .page("/account", own_account::show)
        .form("/profile", own_account::change_profile)
        .form("/preferences", own_account::change_preferences)
        .form("/email", own_account::change_email)
        .form("/email/link", own_account::send_email_link)
        .form("/password", own_account::change_password)
        .form("/sessions/{session_id}/end", own_account::end_session)
        .form("/sessions/end-others", own_account::end_other_sessions)
        .form("/delete", own_account::delete)
        .form("/upgrade", own_account::upgrade)
        .page("/account/second-factor", second_factor::show)
        .form("", second_factor::set_up)
        .post("/confirm", post(second_factor::post_confirm))
        .post("/recovery-codes", post(second_factor::post_recovery_codes))
        .form("/turn-off", second_factor::turn_off)
        .page("/notifications", notifications::show)
        .form("/read", notifications::read_some)
        .page("/join/{token}", link::show)
        .form("", link::join_by_link)
        .page("/invites/{token}", invite::show)
        .form("", invite::accept)
        .page("/admin", admin::show)
        .form("/claim", admin::claim)
        .form("/transfer", admin::transfer)
        .form("/checks", admin::checks)
        .form("/second-factor", admin::second_factor)
        .form("/look-up", admin::look_up)
        .form("/update", admin::update)
        .form("/rollback", admin::roll_back)
        .form("/backup", admin::back_up)
        .post("/backup/download", form_route(admin::download, |uri| up(uri, 2), admin::show))
        .form("/restore", admin::restore)
        .page("/admin/users", users::show)
        .form("/{user_id}/disable", users::disable)
        .form("/{user_id}/enable", users::enable)
        .form("/{user_id}/end-sessions", users::sign_out)
        .post("/{user_id}/reset-link", post(users::post_reset_link))
        .page("/dashboard", dashboard::show)
        .page("/dashboard/bids", lists::bids)
        .page("/dashboard/items", lists::sold)
        .page("/dashboard/watched", lists::watched)
        .page("/auctions", auctions::show)
        .page("/auctions/new", new_auction::show)
        .form("", new_auction::create)
        .page("/auctions/new/settings", new_settings::show)
        .form("", new_settings::create)
        .page("/auctions/{auction_id}", auction::show)
        .form("/join", auction::join)
        .form("/drafts/show", auction::show_drafts)
        .page("/auctions/{auction_id}/settings", settings::show)
        .form("", settings::change)
        .form("/copy", settings::copy)
        .form("/schedule", settings::schedule)
        .form("/close", settings::close)
        .form("/delete", settings::delete)
        .page("/auctions/{auction_id}/members", members::show)
        .form("/link", members::new_link)
        .form("/invites", members::invite)
        .form("/invites/{invite_id}/delete", members::delete_invite)
        .form("/transfer", members::transfer)
        .form("/{user_id}/role", members::give_role)
        .form("/{user_id}/present", members::set_present)
        .form("/{user_id}/remove", members::remove)
        .page("/auctions/{auction_id}/results", results::show)
        .form("/marks", results::mark)
        .page("/auctions/{auction_id}/clerk", clerk::show)
        .form("", clerk::call)
        .form("/correct", clerk::correct)
        .form("/present", present::set)
        .form("/screen", clerk::open_screen)
        .form("/end-screen", clerk::close_screen)
        .page("/auctions/{auction_id}/clerk/order", order::show)
        .form("", order::change)
        .page("/screen/{token}", screen::show)
        .page("/auctions/{auction_id}/share", share::show)
        .page("/auctions/{auction_id}/currencies", currencies::show)
        .form("/base-unit", currencies::name_base_unit)
        .page("/auctions/{auction_id}/currencies/new", new_currency::show)
        .form("", new_currency::create)
        .page("/auctions/{auction_id}/currencies/import", import_set::show)
        .form("", import_set::copy)
        .post("/file", import_set_file::form())
        .page("/auctions/{auction_id}/currencies/templates/{template}", try_template::show)
        .page("/auctions/{auction_id}/currencies/{currency_id}", currency::show)
        .form("", currency::change)
        .form("/delete", currency::delete)
        .page("/auctions/{auction_id}/currency-rules/new", new_rule::show)
        .form("", new_rule::create)
        .page("/auctions/{auction_id}/currency-rules/{rule_id}", rule::show)
        .form("", rule::change)
        .form("/delete", rule::delete)
        .post("/up", form_route(rules::move_up, rules::list_page, currencies::show))
        .post("/down", form_route(rules::move_down, rules::list_page, currencies::show))
        .post("/switch", form_route(rules::switch, rules::list_page, currencies::show))
        .page("/auctions/{auction_id}/items/add", many::show)
        .form("", many::create)
        .post("/row", post(many::save_row))
        .page("/auctions/{auction_id}/items/import", import_items::show)
        .post("/file", import_items::form())
        .form("/{import_id}/undo", import_items::undo)
        .page("/auctions/{auction_id}/items/new", new_item::show)
        .post("", post(new_item::create))
        .page("/auctions/{auction_id}/items/{item_id}/edit", edit_item::show)
        .form("", edit_item::change)
        .form("/delete", edit_item::delete)
        .page("/auctions/{auction_id}/items/{item_id}/pictures", pictures::show)
        .post("", post(pictures::add))
        .form("/{image_id}/alt", pictures::describe)
        .form("/{image_id}/up", pictures::move_up)
        .form("/{image_id}/down", pictures::move_down)
        .form("/{image_id}/remove", pictures::remove)
        .page("/auctions/{auction_id}/items/{item_id}", item::show)
        .post("", post(item::place_bid))
        .form("/watch", item::watch)
        .form("/bids/own/withdraw", withdraw::withdraw_own)
        .form("/close", outcome::end)
        .form("/cancel", outcome::cancel)
        .form("/outcome", outcome::decide)
        .form("/outcome/mark", outcome::mark)
        .page("/auctions/{auction_id}/items/{item_id}/bids", bids::show)
        .page("/auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw", withdraw::show)
        .form("", withdraw::withdraw)
        .page("/books", books::show)
        .page("/books/new", new_book::show)
        .form("", new_book::create)
        .page("/books/join/{token}", join_book::show)
        .form("", join_book::join)
        .page("/books/{book_id}", book::show)
        .form("/link", book::new_link)
        .form("/leave", book::leave)
        .form("/entries", book::grant)
        .post("/entries/{sequence}/reverse", form_route(book::reverse, book::page_of_entry, book::show))
        .form("/holders", book::add_holder)
        .form("/holders/{user_id}/role", book::give_role)
        .form("/waiting/{grant_id}/delete", book::take_back)
        .page("/books/{book_id}/settings", book_settings::show)
        .form("", book_settings::change)
        .form("/share", book_settings::share)
        .form("/caps", book_settings::cap)
        .form("/close", book_settings::close)
        .form("/open", book_settings::open)
        .form("/delete", book_settings::delete)
        .page("/books/{book_id}/runs", runs::show)
        .form("", runs::make)
        .form("/{number}/reverse", runs::undo)
        .page("/books/{book_id}/import", import::show)
        .post("", import::form())
        .form("/{import_id}/undo", import::undo)
        .page("/groups", groups::show)
        .form("/join", groups::join)
        .page("/groups/new", new_group::show)
        .form("", new_group::create)
        .page("/groups/{group_id}", group::show)
        .post("/people", cards::add())
        .post("/pins", cards::pins())
        .post("/people/{person}/undo-upgrade", cards::undo_upgrade())
        .form("/people/{person}/change", people::change)
        .form("/people/{person}/remove", people::remove)
        .form("/removed/{user_id}/readmit", people::readmit)
        .form("/settings", group::change)
        .form("/code", group::new_code)
        .form("/open", group::open)
        .form("/leave", group::leave)
        .form("/delete", group::delete)
        .page("/groups/{group_id}/cards", cards::show)
        .page("/groups/{group_id}/import", import_people::show)
        .post("", import_people::form())
        .form("/{import_id}/undo", import_people::undo)
        .table;
    let paths: Arc<[&'static str]> = paths.into();
    routes
        .route("/pkg/{file}", get(site::file))
        .route("/favicon.ico", get(site::favicon))
        .route("/join/{token}/pictures/{image_id}", get(invitation_pictures::of_link))
        .route("/invites/{token}/pictures/{image_id}", get(invitation_pictures::of_invite))
        .route("/auctions/{auction_id}/clerk/desk", get(clerk::lists))
        .route("/books/{book_id}/runs/case", get(runs::case))
        .route("/screen/{token}/events", get(screen::get_events))
        .route("/screen/{token}/pictures/{image_id}", get(screen::get_picture))
        .fallback(not_found)
        .method_not_allowed_fallback(move |method: Method, uri: Uri| {
            wrong_method(Arc::clone(&paths), method, uri)
        })
}

/// The routes of pages and forms, and the list of the pages.
#[derive(Default)]
struct Table {
    routes: Router<AppState>,
    paths: Vec<&'static str>,
}

/// A page of the table, which its forms follow.
struct Page<Show, T> {
    table: Table,
    path: &'static str,
    show: Show,
    types: PhantomData<fn() -> T>,
}

impl Table {
    fn page<Show: Handler<T, AppState>, T: 'static>(
        mut self,
        path: &'static str,
        show: Show,
    ) -> Page<Show, T> {
        self.paths.push(path);
        self.routes = self.routes.route(path, get(show.clone()));
        Page { table: self, path, show, types: PhantomData }
    }
}

impl<Show: Handler<T, AppState>, T: 'static> Page<Show, T> {
    /// The next page.
    fn page<Next: Handler<U, AppState>, U: 'static>(self, path: &'static str, show: Next) -> Page<Next, U> {
        self.table.page(path, show)
    }

    /// A form that is posted to the address of the page, followed by `below`. If `verb` fails, the page is
    /// shown again.
    fn form<P, Input, Verb, Done, Next>(self, below: &'static str, verb: Verb) -> Self
    where
        P: DeserializeOwned + Send + 'static,
        Input: From<SessionFormRequest<P>> + 'static,
        Verb: Fn(Input) -> Done + Clone + Send + Sync + 'static,
        Done: Future<Output = Result<Next, Problem>> + Send,
        Next: Into<NextPage> + Send,
    {
        let segments = below.matches('/').count();
        let form = form_route(verb, move |uri: &Uri| up(uri, segments), self.show.clone());
        self.post(below, form)
    }

    /// A form with a handler of its own.
    fn post(mut self, below: &str, form: MethodRouter<AppState>) -> Self {
        let path = format!("{}{below}", self.path);
        self.table.routes = self.table.routes.route(&path, form);
        self
    }
}

//! `/books/{book_id}`: the viewer's balance, the holders and the entries, and the forms with which owners and
//! tellers grant, reverse and add holders.

pub(super) mod entries;
mod grant;
pub(super) mod holders;
mod view;
mod waiting;

use app::model::{Listing, SelectOption};
use auction_house::auctions;
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::entries::grant::grant as grant_entries;
use auction_house::books::entries::list::{EntryQuery, list_entries};
use auction_house::books::entries::reverse::reverse as reverse_entry;
use auction_house::books::history::balances_over_time;
use auction_house::books::holders::add::add_holder as add;
use auction_house::books::holders::change_role::change_role;
use auction_house::books::holders::join::renew_book_link;
use auction_house::books::holders::leave::leave_book;
use auction_house::books::holders::list::{find_holder, list_holders, overcommitted};
use auction_house::books::runs::pot::pot_of_book;
use auction_house::books::waiting::{delete_waiting, list_waiting};
use auction_house::ids::BookId;
use auction_house::path::{BookPath, EntryPath, HolderPath, WaitingGrantPath};
use auction_house::waiting::store::count;
use axum::http::Uri;
use axum::response::Response;
use platform::db::Snapshot;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::paging::Page;
use platform::search_text::SearchText;
use platform::text::caseless;
use platform::time::Moment;

use self::holders::HolderEntry;
use self::view::{BookPage, BookQuery, book_page};
use self::waiting::WaitingList;
use super::entries::{holder_entry, ledger_entry, person, plot_point};
use super::facts::{asker, entry};
use crate::codes;
use crate::pages::amounts::Amounts;
use crate::pages::error::Loaded;
use crate::pages::form::{FormBody, beside, renamed, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::request::{PageAt, PageRequest};

/// `GET /books/{book_id}`. What the query says wrongly is ignored.
pub async fn show(PageAt(path): PageAt<BookPath>, request: PageRequest) -> Response {
    let given = |name: &str| request.query(name).map(str::to_owned);
    let query = BookQuery {
        search: given("q"),
        cursor: request.cursor(),
        holder: given("holder"),
        before: given("before"),
    };
    let page = read(&request, path, query.clone()).await;
    request.render(page, |page| book_page(page, query))
}

async fn read(request: &PageRequest, path: Loaded<BookPath>, query: BookQuery) -> Loaded<BookPage> {
    let (BookPath { book_id }, user) = (path?, request.user_id()?);
    let db = &mut request.state.context.db.snapshot().await?;
    let seen = authorize(db, book_id, user).await?;
    let after = request.page();
    let wanted: Option<SearchText> = query.search.as_deref().and_then(|search| search.parse().ok());
    let holders = if seen.sees_holders() {
        let found = list_holders(db, &seen, wanted.as_ref(), after).await?;
        let mut entries: Vec<HolderEntry> =
            found.entries.into_iter().map(|holder| holder_entry(&seen, holder)).collect::<Loaded<_>>()?;
        entries.sort_by_cached_key(|holder| caseless(&holder.name));
        Some(Listing { entries, next_cursor: found.next_cursor })
    } else {
        None
    };
    let overcommitted = if seen.role.keeps() {
        let found = overcommitted(db, &seen).await?;
        found.into_iter().map(|holder| holder_entry(&seen, holder)).collect::<Loaded<_>>()?
    } else {
        Vec::new()
    };
    let holder = query.holder.and_then(|holder| holder.parse().ok()).filter(|_| seen.role.keeps());
    let entries_of = match holder {
        Some(holder) => find_holder(db, &seen, holder).await?.map(person),
        None => None,
    };
    let before = query.before.and_then(|before| before.parse().ok());
    let entries = list_entries(db, &seen, EntryQuery { holder, before }).await?;
    let rows = entries.entries.into_iter().map(|entry| ledger_entry(&seen, entry));
    let balances = balances_over_time(db, &seen, holder.unwrap_or(user)).await?;
    let auctions = auctions::store::seen_of_book(db, book_id, user).await?;
    let waiting =
        if seen.role.keeps() { waiting_list(db, &seen, request.now).await? } else { WaitingList::default() };
    Ok(BookPage {
        book: entry(db, &seen).await?,
        pot: pot_of_book(db, book_id).await?.to_string(),
        credit_limit: seen.book.terms.credit_limit.to_string(),
        link: (seen.role.keeps() && !seen.book.is_closed())
            .then(|| format!("{}/books/join/{}", request.site(), seen.book.link_token.as_str())),
        holders,
        overcommitted,
        search: query.search,
        entries: Listing {
            entries: rows.collect::<Loaded<_>>()?,
            next_cursor: entries.next_before.map(|before| before.to_string()),
        },
        entries_of,
        balances: balances.into_iter().map(plot_point).collect(),
        auctions: auctions
            .into_iter()
            .map(|(id, name)| SelectOption { value: id.to_string(), label: name })
            .collect(),
        waiting,
    })
}

/// The first grants that wait, and how many others do.
async fn waiting_list(db: &mut Snapshot, seen: &BookView, now: Moment) -> Loaded<WaitingList> {
    let page = Page { limit: Page::<()>::LIMIT_MAX, after: None };
    let found = list_waiting(db, seen, page, now).await?;
    let total = match found.next_cursor {
        Some(_) => count(db, seen.book.id, now).await?,
        None => 0,
    };
    let entries = found.entries;
    let listed = i64::try_from(entries.len()).unwrap_or(i64::MAX);
    Ok(WaitingList { more: total.saturating_sub(listed).max(0), entries })
}

/// `POST /books/{book_id}/waiting/{grant_id}/delete`, a button.
pub async fn take_back(request: FormRequest<WaitingGrantPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: WaitingGrantPath { book_id, grant_id }, .. } = request;
    delete_waiting(&state.context, book_id, user, grant_id).await?;
    Ok(done(book_id, "taken-back"))
}

/// The page with the success message of a form.
pub fn done(book_id: BookId, form: &str) -> String {
    format!("/books/{book_id}?done={form}")
}

/// `POST /books/{book_id}/entries`
pub async fn grant(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let mut object = texts(&form, &["reason"]);
    let amounts = Amounts::of_book(&mut state.context.db.read().await?, book_id, user).await?;
    object.set_given("amount", amounts.number(&form, "amount").as_ref());
    if form.text("whom") == "ALL" {
        object.set("holders", &"ALL");
    } else {
        let ticked = form.fields().iter().filter(|(name, _)| name == "holder").map(|(_, id)| id);
        object.set("holders", &ticked.collect::<Vec<_>>());
    }
    let granted = grant_entries(&state.context, book_id, user, FormBody { object, form }).await;
    granted.map_err(|error| of_all_holders(error.into()))?;
    Ok(done(book_id, "granted"))
}

/// The checkboxes have one error for all of them.
fn of_all_holders(mut problem: Problem) -> Problem {
    for field in problem.fields.iter_mut().filter(|field| field.path.starts_with("holders.")) {
        "holders".clone_into(&mut field.path);
    }
    problem
}

/// `POST /books/{book_id}/entries/{sequence}/reverse`
pub async fn reverse(request: FormRequest<EntryPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: EntryPath { book_id, sequence }, form } = request;
    let mut object = Object::default();
    object.set_given("reason", form.get("reversalReason").as_ref());
    let reversed = reverse_entry(&state.context, book_id, user, sequence, object).await;
    reversed.map_err(|error| renamed(error.into(), &[("reason", "reversalReason")]))?;
    Ok(done(book_id, "reversed"))
}

/// `POST /books/{book_id}/holders`
pub async fn add_holder(request: SessionFormRequest<BookPath>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = request;
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let added =
        add(&state.context, &asker(&state, visitor.address), book_id, user, texts(&form, &["email"])).await;
    added.map_err(|error| beside("email", codes::USER_NOT_REGISTERED, error.into()))?;
    Ok(done(book_id, "added"))
}

/// `POST /books/{book_id}/link`, a button.
pub async fn new_link(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, .. } = request;
    renew_book_link(&state.context, book_id, user).await?;
    Ok(done(book_id, "link"))
}

/// `POST /books/{book_id}/leave`, a button.
pub async fn leave(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, .. } = request;
    leave_book(&state.context, book_id, user, user).await?;
    Ok("/books?done=left".to_owned())
}

/// `POST /books/{book_id}/holders/{user_id}/role`
pub async fn give_role(request: FormRequest<HolderPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: HolderPath { book_id, user_id }, form } = request;
    let changed = change_role(&state.context, book_id, user, user_id, texts(&form, &["role"])).await;
    changed.map_err(|error| of_a_row(error.into()))?;
    Ok(done(book_id, "role"))
}

/// Each row of the holders has the form: its error is one of the page.
fn of_a_row(problem: Problem) -> Problem {
    match problem.code {
        codes::INVALID_BODY => Problem::new(codes::INVALID_BODY, "Choose a role of the list."),
        _ => problem,
    }
}

/// The page of a book with the entry of this address, which older pages of entries may have.
pub fn page_of_entry(uri: &Uri) -> Uri {
    let page = up(uri, 3);
    let sequence = uri.path().split('/').nth(4).and_then(|sequence| sequence.parse::<i64>().ok());
    let before = sequence.and_then(|sequence| sequence.checked_add(1));
    before.and_then(|before| format!("{}?before={before}", page.path()).parse().ok()).unwrap_or(page)
}

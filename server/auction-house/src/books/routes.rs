//! `/api/books…`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::BookTerms;
use super::access::authorize;
use super::create::create_book;
use super::delete::delete_book as delete;
use super::document::{
    BookDocument, BooksDocument, EntriesDocument, EntryDocument, HolderDocument, HoldersDocument,
    WrittenDocument,
};
use super::entries::grant::{GrantBody, grant};
use super::entries::list::{EntryQuery, list_entries};
use super::entries::reverse::{ReverseBody, reverse};
use super::export::BookExport;
use super::holders::add::{HolderBody, add_holder};
use super::holders::change_role::{HolderPatchBody, change_role};
use super::holders::join::{BookJoinBody, join_book, renew_book_link};
use super::holders::leave::leave_book;
use super::holders::list::{find_holder, list_holders};
use super::holders::reach::Asker;
use super::list::list_books;
use super::patch::patch_book as patch;
use super::runs::pot::pot_of_book;
use crate::context::{Context, ExportRequest};
use crate::creations::Created;
use crate::ids::UserId;
use crate::path::{BookPath, EntryPath, HolderPath};
use accounts::Accounts;
use accounts::extract::CurrentUser;
use platform::db::Snapshot;
use platform::fields::FieldError;
use platform::http::body::JsonBody;
use platform::http::download::Attachment;
use platform::http::etag::{IfMatch, created, versioned};
use platform::http::format::{ExportFormat, FormatParameters};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::{page, parameters};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::net::ClientAddress;
use platform::search_text::{NoSearchText, SearchText};
use platform::shape::MergePatch;
use platform::shape::New;
use platform::verb::AccessError;
use rules_engine::money::Normalized;

type NewBook = New<BookTerms>;
type BookPatch = MergePatch<BookTerms>;
type GrantRequest = New<GrantBody>;
type ReverseRequest = New<ReverseBody>;
type HolderRequest = New<HolderBody>;
type JoinRequest = New<BookJoinBody>;
type RoleRequest = New<HolderPatchBody>;

/// The books in which you are a holder, newest first.
#[utoipa::path(get, path = "/api/books", tag = "books", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = BooksDocument)))]
pub async fn get_books(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<BooksDocument>, Problem> {
    let page = page(&query)?;
    let found = list_books(&mut context.db.read().await?, user.id, page).await?;
    Ok(Json(found.into()))
}

/// Creates a book, which you then own.
///
/// 409 `LIMIT_REACHED` for an owner of 1,000 books.
#[utoipa::path(post, path = "/api/books", tag = "books", params(GivenKey), request_body = NewBook,
    responses((status = 201, body = BookDocument, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_book(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } = create_book(&context, user.id, body).await?;
    let location = format!("/api/books/{}", made.book.id);
    Ok(keyed::replayed(created(location, made.book.version, BookDocument::from(made)), replayed))
}

/// One book. Holders only.
#[utoipa::path(get, path = "/api/books/{book_id}", tag = "books", params(("book_id" = String, Path)),
    responses((status = 200, body = BookDocument, headers(("ETag")))))]
pub async fn get_book(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
) -> Result<Response, Problem> {
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, path.book_id, user.id).await?;
    let pot = Some(pot_of_book(&mut db, path.book_id).await?).filter(|pot| *pot != Normalized::ZERO);
    Ok(versioned(seen.book.version, BookDocument { pot, ..seen.into() }))
}

/// Changes a book by a JSON merge patch, and closes or opens it. OWNER only.
///
/// 412 `PRECONDITION_FAILED`. 409 `IN_USE` for closing while one of its auctions is open; `FROZEN` for
/// another unit once there are entries or auctions.
#[utoipa::path(patch, path = "/api/books/{book_id}", tag = "books", params(("book_id" = String, Path), IfMatch),
    request_body(content = BookPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = BookDocument, headers(("ETag")))))]
pub async fn patch_book(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Response, Problem> {
    let changed = patch(&context, path.book_id, user.id, body, &if_match).await?;
    Ok(versioned(changed.book.version, BookDocument::from(changed)))
}

/// Removes a book without entries and auctions. OWNER only.
///
/// 412 `PRECONDITION_FAILED`. 409 `IN_USE`.
#[utoipa::path(delete, path = "/api/books/{book_id}", tag = "books", params(("book_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_book(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    delete(&context, path.book_id, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The holders with what they have. OWNER and TELLERs, and every holder if the book's `visibility` is
/// MEMBERS.
#[utoipa::path(get, path = "/api/books/{book_id}/holders", tag = "books", params(("book_id" = String, Path),
        ("q" = Option<String>, Query, description = "Part of a name"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = HoldersDocument)))]
pub async fn get_holders(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    query: RawQuery,
) -> Result<Json<HoldersDocument>, Problem> {
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, path.book_id, user.id).await?;
    if !seen.sees_holders() {
        return Err(AccessError::Forbidden.into());
    }
    let page = page(&query)?;
    let parameters = parameters(&query);
    let search = parameters.iter().find(|(name, _)| name == "q").map(|(_, text)| text.parse()).transpose();
    let search: Option<SearchText> =
        search.map_err(|error: NoSearchText| Problem::field("q", error.to_string()))?;
    Ok(Json(list_holders(&mut db, &seen, search.as_ref(), page).await?.into()))
}

/// Adds a member of an auction that you manage, or of the book, by id or by e-mail, with the starting
/// balance. OWNER and TELLERs only. Anybody else becomes a holder by the link of the book.
///
/// A holder stays as they are. If mail is sent, the e-mail must be confirmed. Each e-mail that is not a
/// holder's counts towards 429. 409 `CLOSED`; `LIMIT_REACHED` beyond 10,000 holders. 422
/// `USER_NOT_REGISTERED`.
#[utoipa::path(post, path = "/api/books/{book_id}/holders", tag = "books", params(("book_id" = String, Path)),
    request_body = HolderRequest, responses((status = 201, body = HolderDocument)))]
pub async fn post_holder(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    address: ClientAddress,
    At(path): At<BookPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let asker = Asker {
        limits: Arc::clone(&accounts.limits),
        address,
        sends_mail: context.notifier.outbox.sends_mail,
    };
    let holder = add_holder(&context, &asker, path.book_id, user.id, body).await?;
    Ok((StatusCode::CREATED, Json(holder_document(&context, path, user.id, holder.person.id).await?))
        .into_response())
}

/// Changes the role of another holder. OWNER only, who becomes TELLER by making another holder the OWNER.
#[utoipa::path(patch, path = "/api/books/{book_id}/holders/{user_id}", tag = "books",
    params(("book_id" = String, Path), ("user_id" = String, Path)),
    request_body(content = RoleRequest, content_type = "application/merge-patch+json"),
    responses((status = 200, body = HolderDocument)))]
pub async fn patch_holder(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(HolderPath { book_id, user_id }): At<HolderPath>,
    body: JsonBody,
) -> Result<Json<HolderDocument>, Problem> {
    change_role(&context, book_id, user.id, user_id, body).await?;
    Ok(Json(holder_document(&context, BookPath { book_id }, user.id, user_id).await?))
}

/// Leaves a book: your entries and your balance stay, and come back with a return. Nobody removes others.
///
/// 403 for the OWNER; 409 `LEADS_OPEN_ITEMS`; `IN_USE` for a member of an open auction of the book.
#[utoipa::path(delete, path = "/api/books/{book_id}/holders/{user_id}", tag = "books",
    params(("book_id" = String, Path), ("user_id" = String, Path)), responses((status = 204)))]
pub async fn delete_holder(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(HolderPath { book_id, user_id }): At<HolderPath>,
) -> Result<StatusCode, Problem> {
    leave_book(&context, book_id, user.id, user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a new link with which users become holders, and revokes the old one. OWNER and TELLERs only.
#[utoipa::path(post, path = "/api/books/{book_id}/invite-token", tag = "books",
    params(("book_id" = String, Path)), responses((status = 200, body = BookDocument, headers(("ETag")))))]
pub async fn post_book_link(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
) -> Result<Response, Problem> {
    let seen = renew_book_link(&context, path.book_id, user.id).await?;
    Ok(versioned(seen.book.version, BookDocument::from(seen)))
}

/// Becomes a holder with the link of the book, with the starting balance the first time.
///
/// 403 `FORBIDDEN` for another link. 409 `CLOSED`; `LIMIT_REACHED` beyond 10,000 holders.
#[utoipa::path(post, path = "/api/books/{book_id}/join", tag = "books", params(("book_id" = String, Path)),
    request_body = JoinRequest, responses((status = 200, body = BookDocument, headers(("ETag")))))]
pub async fn post_join_book(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = join_book(&context, path.book_id, user.id, body).await?;
    Ok(versioned(seen.book.version, BookDocument::from(seen)))
}

async fn holder_document(
    context: &Context,
    path: BookPath,
    user: UserId,
    holder_id: UserId,
) -> Result<HolderDocument, Problem> {
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, path.book_id, user).await?;
    let found = find_holder(&mut db, &seen, holder_id).await?;
    found.map(Into::into).ok_or_else(Problem::not_found)
}

/// Entries, newest first, at most 100 at a time: all of them for OWNER and TELLERs, otherwise your own.
#[utoipa::path(get, path = "/api/books/{book_id}/entries", tag = "books", params(("book_id" = String, Path),
        ("holder" = Option<String>, Query, description = "The id of a holder"),
        ("before" = Option<i64>, Query, minimum = 1, description = "`nextBefore` of the page before")),
    responses((status = 200, body = EntriesDocument)))]
pub async fn get_entries(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    query: RawQuery,
) -> Result<Json<EntriesDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.book_id, user.id).await?;
    Ok(Json(list_entries(&mut db, &seen, entry_query(&query)?).await?.into()))
}

fn entry_query(query: &RawQuery) -> Result<EntryQuery, Problem> {
    let (mut read, mut errors) = (EntryQuery::default(), Vec::new());
    for (name, text) in parameters(query) {
        match name.as_str() {
            "holder" => match text.parse() {
                Ok(holder) => read.holder = Some(holder),
                Err(_) => errors.push(FieldError::new("holder", "must be the id of a holder")),
            },
            "before" => match text.parse().ok().filter(|before| *before > 0) {
                Some(before) => read.before = Some(before),
                None => errors.push(FieldError::new("before", "must be the `nextBefore` of an earlier page")),
            },
            _ => {}
        }
    }
    if errors.is_empty() { Ok(read) } else { Err(Problem::fields(errors)) }
}

/// Grants an amount to holders, or takes it: one GRANT for each, all of them or none. OWNER and TELLERs only.
///
/// `Idempotency-Key` is required. 409 `CLOSED`. 422 if a balance would exceed 10^15.
#[utoipa::path(post, path = "/api/books/{book_id}/entries", tag = "books",
    params(("book_id" = String, Path), GivenKey), request_body = GrantRequest,
    responses((status = 201, body = WrittenDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_entries(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<BookPath>,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: written, replayed } = grant(&context, path.book_id, user.id, body).await?;
    let document = move || (StatusCode::CREATED, Json(WrittenDocument::from(written))).into_response();
    Ok(keyed::replayed(context.work.compute(document).await?, replayed))
}

/// Reverses a GRANT by an entry with the opposite amount. OWNER and TELLERs only.
///
/// 409 `NOT_REVERSIBLE`, `ALREADY_REVERSED`, `CLOSED`.
#[utoipa::path(post, path = "/api/books/{book_id}/entries/{sequence}/reverse", tag = "books",
    params(("book_id" = String, Path), ("sequence" = i64, Path)), request_body = ReverseRequest,
    responses((status = 201, body = EntryDocument)))]
pub async fn post_reverse(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(EntryPath { book_id, sequence }): At<EntryPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let entry = reverse(&context, book_id, user.id, sequence, body).await?;
    Ok((StatusCode::CREATED, Json(EntryDocument::from(entry))).into_response())
}

/// All entries as they are now; they reproduce every balance. OWNER and TELLERs only.
///
/// CSV has a column for each member of an entry; a cell that a spreadsheet could execute begins with an
/// apostrophe. A user has one export at a time: another one waits, and is 503 `OVERLOADED` after 10 s.
#[utoipa::path(get, operation_id = "get_book_export", path = "/api/books/{book_id}/export", tag = "books", params(("book_id" = String, Path), FormatParameters),
    responses((status = 200, content((WrittenDocument = "application/json"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub async fn get_export(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    query: RawQuery,
    read: ReadPermit,
) -> Result<Attachment, Problem> {
    authorize(&mut context.db.read().await?, book_id, user.id).await?.require_keeper()?;
    let format = ExportFormat::of(&query)?;
    let name = format!("book-{book_id}");
    let export = ExportRequest { user: user.id, read, format, name };
    let user = user.id;
    let begun = async move |mut db: Snapshot| {
        authorize(&mut db, book_id, user).await?.require_keeper()?;
        Ok(BookExport::begin(db, book_id, user, format)?)
    };
    context.export(export, begun).await
}

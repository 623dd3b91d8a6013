//! The forms of the pages of books.

use axum::http::Uri;

use super::form::{Form, FormBody, beside, meant_for, renamed, texts};
use super::posted::Posted;
use auction_house::books::create::create_book;
use auction_house::books::delete::delete_book;
use auction_house::books::entries::grant::grant as grant_entries;
use auction_house::books::entries::reverse::reverse as reverse_entry;
use auction_house::books::holders::add::add_holder as add;
use auction_house::books::holders::change_role::change_role;
use auction_house::books::import::import as import_entries;
use auction_house::books::patch::patch_book;
use auction_house::ids::BookId;
use auction_house::path::{BookPath, EntryPath, HolderPath};
use platform::fields::Object;
use platform::http::problem::{Code, Details, FieldError, Problem};
use platform::precondition::Precondition;

use super::auctions::{BASE_UNIT_FIELDS, base_unit};

/// The page of a book, for the address of each of its forms.
pub fn page(uri: &Uri) -> Uri {
    let book = uri.path().split('/').nth(2).unwrap_or_default();
    format!("/books/{book}").parse().unwrap_or_default()
}

/// The page of a book with the entry of this address, which older pages of entries may have.
pub fn page_of_entry(uri: &Uri) -> Uri {
    let page = page(uri);
    let sequence = uri.path().split('/').nth(4).and_then(|sequence| sequence.parse::<i64>().ok());
    let before = sequence.and_then(|sequence| sequence.checked_add(1));
    before.and_then(|before| format!("{page}?before={before}").parse().ok()).unwrap_or(page)
}

/// The page with the success message of a form.
pub(super) fn done(book_id: BookId, form: &str) -> String {
    format!("/books/{book_id}?done={form}")
}

/// A book as a form describes it.
fn terms(form: &Form) -> Object {
    let mut object = texts(form, &["visibility"]);
    object.set("name", &form.text("name"));
    object.set("baseUnit", &base_unit(form));
    for name in ["startingBalance", "creditLimit"] {
        object.set(name, &form.number(name));
    }
    object
}

/// `POST /books/new`
pub async fn create(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    let object = terms(&form);
    let made = create_book(&state.context, user, FormBody { object, form }).await;
    let made = made.map_err(|error| in_form(error.into()))?;
    Ok(done(made.resource.book.id, "created"))
}

/// `POST /books/{book_id}/settings`
pub async fn change(posted: Posted<BookPath>) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, form } = posted;
    let version = meant_for(&form);
    let changed = patch_book(&state.context, book_id, user, terms(&form), &version).await;
    changed.map_err(|error| in_form(error.into()))?;
    Ok(settings(book_id, "saved"))
}

/// The problem with the form's names, and a missing unit beside its name.
fn in_form(problem: Problem) -> Problem {
    let names: Vec<_> = BASE_UNIT_FIELDS.iter().copied().chain([("baseUnit", "baseUnitName")]).collect();
    renamed(problem, &names)
}

/// `POST /books/{book_id}/settings/close`, a button.
pub async fn close(posted: Posted<BookPath>) -> Result<String, Problem> {
    set_status(posted, "CLOSED", "closed").await
}

/// `POST /books/{book_id}/settings/open`, a button.
pub async fn open(posted: Posted<BookPath>) -> Result<String, Problem> {
    set_status(posted, "OPEN", "opened").await
}

async fn set_status(posted: Posted<BookPath>, status: &str, form: &str) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, .. } = posted;
    let mut patch = Object::default();
    patch.set("status", &status);
    patch_book(&state.context, book_id, user, patch, &Precondition::None).await?;
    Ok(settings(book_id, form))
}

fn settings(book_id: BookId, form: &str) -> String {
    format!("/books/{book_id}/settings?done={form}")
}

/// `POST /books/{book_id}/settings/delete`, a button.
pub async fn delete(posted: Posted<BookPath>) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, .. } = posted;
    delete_book(&state.context, book_id, user, &Precondition::None).await?;
    Ok("/books?done=deleted".to_owned())
}

/// `POST /books/{book_id}/entries`
pub async fn grant(posted: Posted<BookPath>) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, form } = posted;
    let mut object = texts(&form, &["reason"]);
    object.set_given("amount", form.number("amount").as_ref());
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
    if let Some(Details::Fields(fields)) = &mut problem.details {
        for field in fields.iter_mut().filter(|field| field.path.starts_with("holders.")) {
            "holders".clone_into(&mut field.path);
        }
    }
    problem
}

/// `POST /books/{book_id}/entries/{sequence}/reverse`
pub async fn reverse(posted: Posted<EntryPath>) -> Result<String, Problem> {
    let Posted { state, user, path: EntryPath { book_id, sequence }, form } = posted;
    let mut object = Object::default();
    object.set_given("reason", form.get("reversalReason").as_ref());
    let reversed = reverse_entry(&state.context, book_id, user, sequence, object).await;
    reversed.map_err(|error| renamed(error.into(), &[("reason", "reversalReason")]))?;
    Ok(done(book_id, "reversed"))
}

/// `POST /books/{book_id}/holders`
pub async fn add_holder(posted: Posted<BookPath>) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, form } = posted;
    let added = add(&state.context, book_id, user, texts(&form, &["email"])).await;
    added.map_err(|error| beside("email", Code::UserNotRegistered, error.into()))?;
    Ok(done(book_id, "added"))
}

/// `POST /books/{book_id}/holders/{user_id}/role`
pub async fn give_role(posted: Posted<HolderPath>) -> Result<String, Problem> {
    let Posted { state, user, path: HolderPath { book_id, user_id }, form } = posted;
    let changed = change_role(&state.context, book_id, user, user_id, texts(&form, &["role"])).await;
    changed.map_err(|error| of_a_row(error.into()))?;
    Ok(done(book_id, "role"))
}

/// `POST /books/{book_id}/import`
pub async fn import(posted: Posted<BookPath>) -> Result<String, Problem> {
    let Posted { state, user, path: BookPath { book_id }, form } = posted;
    let object = texts(&form, &["csv"]);
    let imported = import_entries(&state.context, book_id, user, FormBody { object, form }).await;
    imported.map_err(|error| of_table(error.into()))?;
    Ok(done(book_id, "imported"))
}

/// Each row of the holders has the form: its error is one of the page.
fn of_a_row(problem: Problem) -> Problem {
    match problem.code {
        Code::InvalidBody => Problem::new(Code::InvalidBody, "Choose a role of the list."),
        _ => problem,
    }
}

/// The page lists the errors of the rows: its field has one for all of them.
pub(super) fn of_table(mut problem: Problem) -> Problem {
    if let Some(Details::Fields(fields)) = &mut problem.details
        && fields.iter().any(|field| field.path.starts_with("row "))
    {
        let rows = fields.len();
        let words = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
        *fields = vec![FieldError::explained("csv", format!("{words} wrong: nothing was imported."))];
    }
    problem
}

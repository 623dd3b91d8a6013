//! `/auctions/new`: starts an auction with its money and its first lots.

use crate::pages::items::lot_rows::{LOT_FIELDS, LotColumns, LotRows};
use app::assets::BuiltFile;
use app::bounds::{MAX_TITLE_CHARS, MAX_UNIT_NAME_CHARS};
use app::components::field::{Field, RadioField, SelectField, TextField};
use app::components::moment_field::MomentField;
use app::components::page_title::PageTitle;
use app::components::saved_form::SavedForm;
use app::html::{Html, html};
use app::model::SelectOption;
use app::request::request;
use app::scripts::LoadScript;
use auction_house::items::start::start_auction;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::fields::GROUP;
use super::next_steps::NEW;
use super::start_form::StartForm;
use crate::pages::books::facts::kept;
use crate::pages::currencies::template::TEMPLATES;
use crate::pages::error::Loaded;
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::money_style::currency_of;
use crate::pages::request::PageRequest;
use crate::pages::{groups, iso_currencies};

#[derive(Debug, Clone, PartialEq, Eq)]
struct NewAuctionPage {
    /// The groups that the viewer keeps.
    groups: Vec<SelectOption>,
    /// The open books that the viewer keeps.
    books: Vec<SelectOption>,
    /// Ordered by code.
    iso_currencies: Vec<SelectOption>,
    /// The code of the one that the form begins with.
    iso: String,
}

/// `GET /auctions/new`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, new_auction_page)
}

async fn read(request: &PageRequest) -> Loaded<NewAuctionPage> {
    let user = request.signed_in()?;
    let mut db = request.db().await?;
    Ok(NewAuctionPage {
        groups: groups::facts::choices(&mut db, None, user.id).await?,
        books: kept(&mut db, user.id).await?,
        iso_currencies: iso_currencies::in_use(),
        iso: currency_of(request.locale.as_deref()).to_owned(),
    })
}

/// `POST /auctions/new`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let mut start = StartForm::read(&state.context, &form, user).await?;
    let object = std::mem::take(&mut start.object);
    let made = start_auction(&state.context, user, FormBody { object, form }).await;
    let made = made.map_err(|error| start.in_form(error.into()))?;
    Ok(format!("/auctions/{}?{NEW}=true", made.resource.auction.id))
}

/// Rows of first lots.
const ROWS: usize = 4;
const WEEK: i64 = 7 * 24 * 3600 * 1000;

const NAME: Field = Field::new("name", "Name", "Enter a name for the auction.");
const WHO: Field = Field::new("joinMode", "Who bids?", "Choose who bids.").called("who bids");
const MONEY: Field =
    Field::new("money", "What do they bid with?", "Choose what people bid with.").called("the money");
const ISO: Field = Field::new("currencyCode", "Currency", "Choose a currency of the list.");
const TEMPLATE: Field = Field::new("template", "Coins", "Choose one of the list.").called("the coins");
const BOOK: Field = Field::new("bookId", "Balances", "Choose balances that you keep, or new ones.");
const UNIT_NAME: Field =
    Field::new("baseUnitName", "One is called", "Enter what one of them is called, such as Ticket.")
        .called("the name of one");
const UNIT_PLURAL: Field =
    Field::new("baseUnitPlural", "Several are called", "Enter what several are called, such as Tickets.")
        .called("the name of several");
const STARTING: Field = Field::new(
    "startingBalance",
    "Each person starts with",
    "Enter how many each person starts with, such as 100.",
)
.called("the number at the start");
const END_MODE: Field =
    Field::new("itemEndMode", "When does it end?", "Choose when it ends.").called("the way it ends");
const END: Field = Field::new("endDate", "End", "Enter the end as a date and a time.").called("the end");
const FIELDS: &[Field] =
    &[NAME, WHO, GROUP, MONEY, ISO, TEMPLATE, BOOK, UNIT_NAME, UNIT_PLURAL, STARTING, END_MODE, END];

type Choice = (&'static str, &'static str, &'static str);

/// The last answer is for those who keep a group.
const WHO_BIDS: &[Choice] = &[
    ("LINK", "Anyone with the link", "You pass on a link or a QR code."),
    ("INVITE_ONLY", "People I invite", "By e-mail, each of them."),
    ("FREE", "Everyone here", "Each user who is signed in."),
    (BY_GROUP, "A group, by numbers", "A class or a club that you keep: its people are in at once."),
];
/// The people of a group alone bid: a value of this form, not of a join mode.
pub const BY_GROUP: &str = "GROUP";

/// What people bid with: the values of the field.
const ORDINARY_MONEY: &str = "ISO";
pub const COINS: &str = "COINS";
pub const BALANCES: &str = "BOOK";

const MONIES: &[Choice] = &[
    (ORDINARY_MONEY, "Ordinary money", "Euros, pounds, dollars …"),
    (BALANCES, "Tickets or points", "Each person has some, and bids no more."),
    (COINS, "Coins of our own", "Galleons, shillings, gold …"),
];

const ENDS: &[Choice] = &[
    ("AUCTION_END", "All lots together", "At one moment."),
    ("CUSTOM", "Each lot by itself", "At its own moment, or else at the common one."),
    ("NONE", "When I close it", "Without a date."),
];

fn new_auction_page(page: NewAuctionPage) -> Html {
    let NewAuctionPage { groups, books, iso_currencies, iso } = page;
    let templates = TEMPLATES
        .iter()
        .map(|template| SelectOption { value: template.key.to_owned(), label: template.title.to_owned() });
    let templates = templates.collect::<Vec<_>>();
    let without_group = WHO_BIDS.split_last().map_or(WHO_BIDS, |(_, others)| others);
    let who = if groups.is_empty() { without_group } else { WHO_BIDS };
    html(view! {
        <PageTitle text="New auction" />
        <section class="form-page wide start-auction">
            <h1>"New auction"</h1>
            <p class="lead">
                "Four questions, and it is open. " <a href="/auctions/new/settings">"All settings"</a>
            </p>
            <SavedForm fields=&[FIELDS, LOT_FIELDS] save="Create auction" back="/auctions">
                <LoadScript script=BuiltFile::PluralsScript />
                <div class="form-columns">
                    <div>
                        <TextField field=NAME maxlength=MAX_TITLE_CHARS required=true autofocus=true />
                        <div class="question answers">
                            <RadioField field=WHO choices=who />
                            {if groups.is_empty() {
                                Either::Left(view! {
                                    <p class="hint">
                                        "Children or a club without e-mail? First make "
                                        <a href="/groups/new">"a group, with numbers and cards"</a> "."
                                    </p>
                                })
                            } else {
                                let first = groups.first().map(|group| group.value.clone()).unwrap_or_default();
                                Either::Right(view! {
                                    <div class="of-group">
                                        <SelectField field=GROUP options=groups chosen=first />
                                    </div>
                                })
                            }}
                        </div>
                        <div class="question answers">
                            <RadioField field=MONEY choices=MONIES />
                            <div class="of-iso">
                                <SelectField field=ISO options=iso_currencies chosen=iso />
                            </div>
                            <div class="of-book field-group">
                                <Books books />
                                <div class="field-row">
                                    <TextField field=UNIT_NAME maxlength=MAX_UNIT_NAME_CHARS value=Some("Ticket".to_owned()) />
                                    <TextField field=UNIT_PLURAL maxlength=MAX_UNIT_NAME_CHARS value=Some("Tickets".to_owned()) />
                                </div>
                                <TextField
                                    field=STARTING
                                    inputmode="decimal"
                                    class="amount short"
                                    value=Some("100".to_owned())
                                />
                            </div>
                            <div class="of-coins">
                                <SelectField field=TEMPLATE options=templates />
                            </div>
                        </div>
                    </div>
                    <div>
                        <div class="question answers">
                            <RadioField field=END_MODE choices=ENDS />
                            <div class="of-end">
                                <MomentField field=END hint="" suggested=evening_in_a_week() />
                            </div>
                        </div>
                        <fieldset class="question">
                            <legend>"What are the first lots?"</legend>
                            <p class="hint">
                                "A name is enough. You can leave this out: there is a page for many lots, with pictures."
                            </p>
                            <LotRows rows=ROWS columns=LotColumns::default() />
                        </fieldset>
                    </div>
                </div>
            </SavedForm>
        </section>
    })
}

/// The balances that the viewer keeps, if there are any.
#[component]
fn Books(books: Vec<SelectOption>) -> impl IntoView {
    (!books.is_empty()).then(|| {
        let new = SelectOption { value: String::new(), label: "New ones, for this auction".to_owned() };
        let options = [new].into_iter().chain(books).collect();
        view! { <SelectField field=BOOK hint="The next fields are for new ones." options /> }
    })
}

/// Eight in the evening, a week from now, in the viewer's time zone.
fn evening_in_a_week() -> String {
    let request = request();
    let local = (request.zone.local)(request.now + WEEK).local;
    let day = local.split('T').next().unwrap_or_default();
    format!("{day}T20:00")
}

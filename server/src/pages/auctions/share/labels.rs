//! The labels of lots, on plain paper or on sheets of labels.

use app::components::field::{Field, SelectField, TextField};
use app::components::name::Name;
use app::components::pagination::Pagination;
use app::components::qr_code::QrCode;
use app::model::{Listing, SelectOption};
use leptos::prelude::*;

use super::lots::{NoLots, PrintedLot};

/// Labels of lots, and the sheets that they are printed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    pub lots: Listing<PrintedLot>,
    pub sheet: LabelSheet,
    /// Place of the first label on its sheet, from 1: those before it are used already.
    pub first: usize,
}

/// A sheet of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LabelSheet {
    /// Plain A4, whose labels are cut out.
    #[default]
    Plain,
    /// A4 with 21 labels of 63.5 × 38.1 mm.
    A4,
    /// Letter with 30 labels of 66.7 × 25.4 mm.
    Letter,
}

impl LabelSheet {
    pub const ALL: [Self; 3] = [Self::Plain, Self::A4, Self::Letter];

    /// Its value in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::A4 => "63x38",
            Self::Letter => "67x25",
        }
    }

    /// Labels of a sheet.
    pub fn places(self) -> usize {
        match self {
            Self::Plain => 24,
            Self::A4 => 21,
            Self::Letter => 30,
        }
    }
}

const SHEET: Field = Field::new("sheet", "Sheets", "Choose a sheet of the list.");
const FROM: Field = Field::new("from", "First free label", "Enter the place of a label on its sheet.");

/// `path` is the address of the page with all prints.
#[component]
pub fn LabelSheets(labels: Labels, path: String, cursor: Option<String>) -> impl IntoView {
    let Labels { lots, sheet, first } = labels;
    let none = lots.entries.is_empty();
    let used = std::iter::repeat_n(None, first.saturating_sub(1));
    let mut places = used.chain(lots.entries.into_iter().map(Some)).peekable();
    let class = match sheet {
        LabelSheet::Plain => "lot-labels print-sheet",
        LabelSheet::A4 => "lot-labels label-sheet a4 print-sheet",
        LabelSheet::Letter => "lot-labels label-sheet letter print-sheet",
    };
    // Plain paper is cut anywhere.
    let size = if sheet == LabelSheet::Plain { usize::MAX } else { sheet.places() };
    let mut sheets = Vec::new();
    while !none && places.peek().is_some() {
        let labels = places.by_ref().take(size).map(|lot| match lot {
            Some(lot) => view! { <li><Label lot /></li> }.into_any(),
            None => view! { <li class="lot-label-used" aria-hidden="true"></li> }.into_any(),
        });
        sheets.push(view! {
            <ul class=class role="list">
                {labels.collect_view()}
            </ul>
        });
    }
    let address = format!("{path}?print=labels&sheet={}&from={first}", sheet.as_str());
    view! {
        <h2 class="visually-hidden">"Labels"</h2>
        <SheetForm path sheet first />
        {none.then(|| view! { <NoLots /> })}
        {sheets}
        <Pagination path=address cursor next=lots.next_cursor />
    }
}

/// Chooses the sheet and the place of the first label.
#[component]
fn SheetForm(path: String, sheet: LabelSheet, first: usize) -> impl IntoView {
    let options = LabelSheet::ALL.map(|sheet| SelectOption {
        value: sheet.as_str().to_owned(),
        label: match sheet {
            LabelSheet::Plain => "Plain A4, to be cut: 24 on a sheet",
            LabelSheet::A4 => "Labels of 63.5 × 38.1 mm: 21 on A4",
            LabelSheet::Letter => "Labels of 66.7 × 25.4 mm: 30 on Letter",
        }
        .to_owned(),
    });
    let hint = (sheet != LabelSheet::Plain).then(|| {
        view! {
            <p class="hint">
                "Print at 100 %, on " {if sheet == LabelSheet::A4 { "A4" } else { "Letter" }}
                ", without margins of the printer’s dialog."
            </p>
        }
    });
    view! {
        <form class="label-form" method="get" action=path>
            <input type="hidden" name="print" value="labels" />
            <SelectField field=SHEET options=Vec::from(options) chosen=sheet.as_str() />
            <TextField
                field=FROM
                hint="Of sheets of labels: 4 if three are used."
                inputmode="numeric"
                autocomplete="off"
                value=Some(first.to_string())
            />
            <button class="button" type="submit">
                "Show"
            </button>
        </form>
        {hint}
    }
}

/// A label with the number and the code of a lot.
#[component]
pub fn Label(lot: PrintedLot) -> impl IntoView {
    let PrintedLot { lot_number, name, estimate, qr, .. } = lot;
    let code = qr.map(|qr| view! { <QrCode qr label=format!("QR code of lot {lot_number}") /> });
    view! {
        <article class="lot-label">
            {code}
            <div>
                <p class="lot-label-number">{lot_number}</p>
                <p class="lot-label-name"><Name text=name /></p>
                {estimate.map(|estimate| view! { <p>{estimate}</p> })}
            </div>
        </article>
    }
}

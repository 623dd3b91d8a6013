//! Search, order and filter of a catalogue, and the choice between list and grid: a form and links, without
//! JavaScript.

use app::model::CatalogueQuery;
use leptos::prelude::*;

const SORTS: &[(&str, &str)] = &[
    ("lot", "Lot number"),
    ("end", "Ending first"),
    ("price", "Lowest price"),
    ("name", "Name"),
    ("newest", "Newest"),
    ("bids", "Most bids"),
];

const STATUSES: &[(&str, &str)] =
    &[("", "All"), ("OPEN", "Open"), ("SCHEDULED", "Starts later"), ("CLOSED", "Closed")];

/// The status of drafts, which only sellers have.
const DRAFT: (&str, &str) = ("DRAFT", "Draft");

#[component]
pub fn CatalogueControls(
    query: CatalogueQuery,
    path: String,
    can_watch: bool,
    /// The viewer may have drafts.
    sells: bool,
) -> impl IntoView {
    let CatalogueQuery { sort, text, status, watched, grid, .. } = query.clone();
    let chosen_status = status.unwrap_or_default();
    let chosen =
        [!query.is_by_lot(), !chosen_status.is_empty(), watched].into_iter().filter(|chosen| *chosen).count();
    let filter = if chosen == 0 { "Filter".to_owned() } else { format!("Filter ({chosen})") };
    let statuses = STATUSES.iter().copied().chain(sells.then_some(DRAFT)).collect();
    let watched_box = can_watch.then(|| {
        view! {
            <label class="catalogue-watched">
                <input type="checkbox" name="watched" value="true" checked=watched />
                "Watched"
            </label>
        }
    });
    view! {
        <div class="catalogue-controls">
            <form role="search" aria-label="Find items" method="get" action=path.clone()>
                <label class="catalogue-search">
                    <span>"Search"</span>
                    <input type="search" name="q" value=text maxlength="200" placeholder="Search" />
                </label>
                // A phone has no room for the rest until it is asked for. With the script of every page, a
                // choice applies at once.
                <button class="button quiet catalogue-filter" type="button" popovertarget="filters">
                    {filter}
                </button>
                <div class="catalogue-filters" id="filters" popover="auto">
                    <label>
                        <span>"Sort by"</span>
                        <select name="sort">{options(SORTS.to_vec(), &sort)}</select>
                    </label>
                    <label>
                        <span>"Status"</span>
                        <select name="status">{options(statuses, &chosen_status)}</select>
                    </label>
                    {watched_box}
                    <button class="button quiet catalogue-apply" type="submit">
                        "Show"
                    </button>
                    <button
                        class="button catalogue-filter"
                        type="button"
                        popovertarget="filters"
                        popovertargetaction="hide"
                    >
                        "Done"
                    </button>
                </div>
                {grid.then(|| view! { <input type="hidden" name="view" value="grid" /> })}
            </form>
            <nav class="catalogue-views" aria-label="View">
                <View label="List" grid=false query=query.clone() path=path.clone() />
                <View label="Grid" grid=true query path />
            </nav>
        </div>
    }
}

#[component]
fn View(label: &'static str, grid: bool, query: CatalogueQuery, path: String) -> impl IntoView {
    let current = (query.grid == grid).then_some("true");
    let address = CatalogueQuery { grid, ..query }.address(&path);
    view! {
        <a href=address aria-current=current>
            {label}
        </a>
    }
}

fn options(choices: Vec<(&'static str, &'static str)>, chosen: &str) -> impl IntoView + use<> {
    let options = choices.into_iter().map(|(value, label)| {
        view! {
            <option value=value selected=value == chosen>
                {label}
            </option>
        }
    });
    options.collect::<Vec<_>>()
}

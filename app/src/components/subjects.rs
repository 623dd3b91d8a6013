//! Pages of several subjects, of which a screen shows one. Without a chosen subject it shows all of them,
//! each with what is in force in words.

use leptos::prelude::*;

use crate::request::query_part;

/// Parameter of the address with the id of the subject.
pub const SUBJECT: &str = "subject";

/// A subject of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub id: &'static str,
    /// First segments, below the page, of the addresses of its forms, where they are not its id.
    pub forms: &'static [&'static str],
    pub name: &'static str,
    /// The settings in force, in words.
    pub words: String,
}

impl Subject {
    pub fn new(id: &'static str, name: &'static str, words: impl Into<String>) -> Self {
        Self { id, forms: &[], name, words: words.into() }
    }

    pub fn with_forms(self, forms: &'static [&'static str]) -> Self {
        Self { forms, ..self }
    }
}

/// The subject that the address asks for. A refused form asks for its own.
pub fn asked_subject(subjects: &[Subject]) -> Option<&'static str> {
    let asked = query_part(SUBJECT)?;
    let is_asked = |subject: &&Subject| subject.id == asked || subject.forms.contains(&asked.as_str());
    subjects.iter().find(is_asked).map(|subject| subject.id)
}

/// The screen of a subject, or all subjects. `path` is the address of the page.
#[component]
pub fn Subjects(
    path: &'static str,
    /// Before the path, of a page below others.
    #[prop(optional, into)]
    above: String,
    subjects: Vec<Subject>,
    current: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    let page = format!("{above}{path}");
    let address = |subject: &Subject| format!("{page}?{SUBJECT}={}", subject.id);
    let links = subjects.iter().map(|subject| {
        view! {
            <a href=address(subject) aria-current=(current == Some(subject.id)).then_some("page")>
                {subject.name}
            </a>
        }
    });
    let links = links.collect::<Vec<_>>();
    let rows = current.is_none().then(|| {
        let rows = subjects.iter().map(|subject| {
            view! {
                <li>
                    <a href=address(subject)>{subject.name}</a>
                    <p>{subject.words.clone()}</p>
                </li>
            }
        });
        view! {
            <ul class="subject-list" role="list">
                {rows.collect::<Vec<_>>()}
            </ul>
        }
    });
    let back = current.map(|_| {
        view! {
            <p class="subject-back">
                <a href=page.clone()>"All subjects"</a>
            </p>
        }
    });
    view! {
        <div class="with-side">
            <nav class="side-nav" aria-label="Subjects">
                <a href=page.clone() aria-current=current.is_none().then_some("page")>
                    "Overview"
                </a>
                {links}
            </nav>
            <div class="subject">{back} {children()} {rows}</div>
        </div>
    }
}

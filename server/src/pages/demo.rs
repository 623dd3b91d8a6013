//! Parts of the start page and the sign-in page that only a demo has.

use app::components::name::Name;
use leptos::either::EitherOf3;
use leptos::prelude::*;

/// Sign-ins of a demo, and pages worth a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoWindow {
    /// The password of all people.
    pub password: String,
    pub people: Vec<DemoSignIn>,
    pub pages: Vec<DemoPage>,
}

/// A user of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoSignIn {
    pub name: String,
    pub email: String,
    /// The user’s part in the demo, as words after the name.
    pub about: String,
}

/// A page of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPage {
    pub title: String,
    pub about: String,
    pub address: String,
    pub door: DemoDoor,
}

/// How a visitor comes to see a page of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DemoDoor {
    /// None is needed.
    Open,
    /// A sign-in with this e-mail.
    SignIn(String),
    /// A card.
    Card(DemoCard),
}

/// The card of a managed user of a demo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoCard {
    pub code: String,
    pub number: i64,
    pub pin: String,
}

/// Pages worth a look, each one press away. A button signs the visitor in.
#[component]
pub fn DemoPages(window: DemoWindow) -> impl IntoView {
    let DemoWindow { password, pages, .. } = window;
    let pages = pages.into_iter().map(|DemoPage { title, about, address, door }| {
        let words = view! {
            <strong>{title}</strong>
            " "
            <span>{about}</span>
        };
        let door = match door {
            DemoDoor::Open => EitherOf3::A(view! { <a class="demo-page" href=address>{words}</a> }),
            DemoDoor::SignIn(email) => EitherOf3::B(view! {
                <form method="post" action="/sign-in">
                    <input type="hidden" name="email" value=email />
                    <input type="hidden" name="password" value=password.clone() />
                    <input type="hidden" name="next" value=address />
                    <button class="demo-page" type="submit">
                        {words}
                    </button>
                </form>
            }),
            DemoDoor::Card(DemoCard { code, number, pin }) => EitherOf3::C(view! {
                <form method="post" action="/go">
                    <input type="hidden" name="code" value=code />
                    <input type="hidden" name="number" value=number />
                    <input type="hidden" name="pin" value=pin />
                    <input type="hidden" name="next" value=address />
                    <button class="demo-page" type="submit">
                        {words}
                    </button>
                </form>
            }),
        };
        view! { <li>{door}</li> }
    });
    view! {
        <section class="demo-pages" aria-labelledby="demo-pages">
            <h2 id="demo-pages">"Look around in this demo"</h2>
            <p class="hint">"Each button signs you in as a person of the demo. Change what you like: nothing here is real."</p>
            <ul role="list">{pages.collect_view()}</ul>
        </section>
    }
}

/// The sign-ins of the demo, each with its button.
#[component]
pub fn DemoSignIns(window: DemoWindow) -> impl IntoView {
    let DemoWindow { password, people, pages } = window;
    let cards = pages.into_iter().filter_map(|page| match page.door {
        DemoDoor::Card(card) => Some((page.title, card)),
        DemoDoor::Open | DemoDoor::SignIn(_) => None,
    });
    let cards = cards.map(|(title, DemoCard { code, number, pin })| {
        view! {
            <p class="hint">
                {title} ": " <a href="/go">"Sign in with a number"</a>
                {format!(", code {code}, number {number}, PIN {pin}.")}
            </p>
        }
    });
    let cards = cards.collect_view();
    let people = people.into_iter().map(|DemoSignIn { name, email, about }| {
        let label = format!("Continue as {name}");
        view! {
            <li>
                <form method="post" action="/sign-in">
                    <input type="hidden" name="email" value=email.clone() />
                    <input type="hidden" name="password" value=password.clone() />
                    <button class="button" type="submit">
                        {label}
                    </button>
                </form>
                <p>
                    <Name text=name /> " " {about} ": " {email}
                </p>
            </li>
        }
    });
    let people = people.collect_view();
    view! {
        <section class="demo-sign-ins" aria-labelledby="demo-sign-ins">
            <h2 id="demo-sign-ins">"Sign-ins of this demo"</h2>
            <ul role="list">{people}</ul>
            <p class="hint">"Everyone has the password “" {password} "”."</p>
            {cards}
        </section>
    }
}

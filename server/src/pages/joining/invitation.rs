//! What a link or an invite leads to, with one button to join.

use app::components::account_links::account_link;
use app::components::error_summary::ErrorSummary;
use app::components::name::Name;
use app::components::page_description::PageDescription;
use app::components::page_title::PageTitle;
use app::components::preview_facts::PreviewFacts;
use app::components::prose::Prose;
use app::components::tint::Tint;
use app::html::{Html, html};
use app::model::{AuctionPreview, PictureFile, RenderedText, Role};
use app::request::request;
use leptos::either::EitherOf6;
use leptos::prelude::*;

use crate::pages::members::words::role_in_a_sentence;

/// What a link or an invite leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub auction_id: String,
    pub auction: AuctionPreview,
    pub description: RenderedText,
    /// Name of the user who invites: the sender of the invite, or the owner of the auction.
    pub host: Option<String>,
    pub role: Role,
    /// The e-mail that the invite is for. Absent for a link.
    pub email: Option<String>,
    /// Pictures of the first lots.
    pub pictures: Vec<PictureFile>,
    /// Starting balance of a new member: `300 Tickets`.
    pub grant: Option<String>,
    /// Id of the lot beside whose code the link stands.
    pub item: Option<String>,
    pub state: InvitationState,
}

/// Whether the viewer may accept an invitation, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationState {
    SignedOut,
    MayJoin,
    Member,
    Removed,
    OtherEmail,
    Closed,
}

/// `may_register` says whether a visitor without an account can register.
pub fn invitation_page(invitation: Invitation, may_register: bool) -> Html {
    // Signing in leads back here.
    let path = request().path.clone();
    let Invitation {
        auction_id,
        auction: preview,
        description,
        host,
        role,
        email,
        pictures,
        grant,
        item,
        state,
    } = invitation;
    let auction_name = preview.name.clone();
    let auction = format!("/auctions/{auction_id}");
    let host = host.map_or_else(|| "You are invited".to_owned(), |host| format!("{host} invites you"));
    let lead = format!("{host} to this auction as {}.", role_in_a_sentence(role));
    html(view! {
        <PageTitle text=format!("Join {auction_name}") />
        <PageDescription title=auction_name.clone() text=lead.clone() />
        <section class="form-page invitation">
            <p class="eyebrow">"Invitation"</p>
            <h1><Name text=auction_name /></h1>
            <p class="lead">{lead}</p>
            <PreviewFacts auction=preview />
            <Pictures pictures />
            {grant.map(|grant| view! { <p class="invitation-grant">"You get " <strong>{grant}</strong> " to bid with."</p> })}
            <ErrorSummary />
            <NextStep state path email auction item may_register />
            <Prose text=description />
        </section>
    })
}

/// The first pictures of the auction. The names of their lots are for its members.
#[component]
fn Pictures(pictures: Vec<PictureFile>) -> impl IntoView {
    let pictures = pictures.into_iter().map(|file| {
        view! {
            <div>
                <Tint color=file.tint />
                <img src=file.src alt="" width=file.width height=file.height />
            </div>
        }
    });
    let pictures = pictures.collect::<Vec<_>>();
    (!pictures.is_empty()).then(|| view! { <div class="invitation-pictures">{pictures}</div> })
}

#[component]
fn NextStep(
    state: InvitationState,
    path: String,
    email: Option<String>,
    auction: String,
    item: Option<String>,
    may_register: bool,
) -> impl IntoView {
    match state {
        InvitationState::SignedOut => {
            let path = item.map_or_else(|| path.clone(), |item| format!("{path}?item={item}"));
            EitherOf6::A(view! { <SignIn path email may_register /> })
        }
        InvitationState::MayJoin => EitherOf6::B(view! {
            <form method="post" action=path>
                {item.map(|item| view! { <input type="hidden" name="item" value=item /> })}
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Join this auction"
                    </button>
                </div>
            </form>
        }),
        InvitationState::Member => EitherOf6::C(view! {
            <div class="notice">
                <p>"You are a member of this auction already."</p>
                <p>
                    <a class="button primary" href=auction>
                        "Go to the auction"
                    </a>
                </p>
            </div>
        }),
        InvitationState::Removed => EitherOf6::D(view! {
            <p class="notice">
                "You were removed from this auction, and its link does not bring you back. Ask its owner for an invitation to your e-mail."
            </p>
        }),
        InvitationState::OtherEmail => EitherOf6::E(view! {
            <p class="notice">
                "This invitation is for " <strong>{email}</strong>
                ". Sign out, and sign in with the account that has this e-mail, or ask for an invitation to yours."
            </p>
        }),
        InvitationState::Closed => EitherOf6::F(view! {
            <p class="notice">"This auction is closed: it takes no more members."</p>
        }),
    }
}

#[component]
fn SignIn(path: String, email: Option<String>, may_register: bool) -> impl IntoView {
    let (sign_in, register) = (account_link("/sign-in", &path), account_link("/register", &path));
    view! {
        {email.map(|email| view! { <p>"The invitation is for " <strong>{email}</strong> "."</p> })}
        <p>"Sign in first. You then return here and join with one button."</p>
        <div class="actions">
            {may_register
                .then(|| {
                    view! {
                        <a class="button primary" href=register>
                            "Register"
                        </a>
                    }
                })}
            <a class="button" href=sign_in>
                "Sign in"
            </a>
        </div>
    }
}

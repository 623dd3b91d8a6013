//! `/go`: signs in with the code of a group, a number and a PIN. A card's QR code leads here: then the script
//! `go.js` fills in the fields, with the secret of the card in place of the PIN.

use leptos::prelude::*;

use super::CODE;
use crate::assets::BuiltFile;
use crate::components::field::{Field, TextField};
use crate::html::{Html, html};
use crate::pages::account::form::{AccountForm, Alternative};
use crate::scripts::LoadScript;

const NUMBER: Field = Field::new("number", "Number", "Enter your number.");
const PIN: Field = Field::new("pin", "PIN", "Enter your PIN.");
const FIELDS: &[Field] = &[CODE, NUMBER, PIN];

const SIGN_IN: Alternative = Alternative {
    question: "You have an e-mail and a password?",
    path: "/sign-in",
    label: "Sign in with them",
};

pub fn go_page() -> Html {
    html(view! {
        <AccountForm
            fields=&[FIELDS]
            title="Sign in"
            lead="With the code, the number and the PIN of your card."
            alternative=SIGN_IN
        >
            <LoadScript script=BuiltFile::GoScript />
            <TextField field=CODE autocomplete="off" maxlength=20 required=true class="medium" />
            <TextField
                field=NUMBER
                autocomplete="username"
                inputmode="numeric"
                maxlength=4
                required=true
                class="medium"
            />
            <TextField
                field=PIN
                kind="password"
                autocomplete="current-password"
                inputmode="numeric"
                maxlength=20
                required=true
                class="medium"
            />
        </AccountForm>
    })
}

//! Uses the client that progenitor has made from the document, as a program of an auction's owner would.
//!
//! Arguments: the address of a demo server, an e-mail and a password.

mod api {
    progenitor::generate_api!(spec = "openapi.json", interface = Builder);
}

use std::error::Error;

use futures::TryStreamExt;
use serde::Serialize;

use api::{Client, types};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn expect(condition: bool, message: &str) -> Outcome<()> {
    if condition { Ok(()) } else { Err(message.into()) }
}

/// Fails unless the name is all that differs, but for what any change moves.
fn is_renamed(before: &impl Serialize, after: &impl Serialize) -> Outcome<()> {
    let (before, after) = (serde_json::to_value(before)?, serde_json::to_value(after)?);
    let (Some(before), Some(after)) = (before.as_object(), after.as_object()) else {
        return Err("no objects".into());
    };
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.retain(|name| {
        let moves = ["revision", "version", "updatedAt"].contains(&name.as_str());
        !moves && before.get(*name) != after.get(*name)
    });
    names.dedup();
    expect(
        names.iter().all(|name| *name == "name") && !names.is_empty(),
        &format!("a rename changed {names:?}"),
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, email, password] = &arguments[..] else { return Err("three arguments".into()) };
    let http = reqwest::Client::builder().cookie_store(true).no_proxy().build()?;
    let client = Client::new_with_client(address, http);
    client.login().body(types::LoginBody::builder().email(email).password(password)).send().await?;
    let me = client.get_user().send().await?.into_inner().user.id;

    let auctions = client.get_auctions().send().await?.into_inner().auctions;
    let own =
        auctions.iter().find(|one| one.my_role.as_ref().is_some_and(|role| role.to_string() == "OWNER"));
    let id = own.ok_or("the demo has no auction of this user")?.id;
    let before = client.get_auction().auction_id(id).send().await?.into_inner();
    let rename = |name: &str| {
        let patch = types::AuctionPatch::builder().name(name.parse::<types::AuctionPatchName>().ok());
        client.patch_auction().auction_id(id).body(patch).send()
    };
    let after = rename("Renamed").await?.into_inner();
    is_renamed(&before, &after)?;
    rename(&before.name).await?;

    let items = client.get_items().auction_id(id).send().await?.into_inner().items;
    let item = items.iter().find(|one| {
        one.status.to_string() == "OPEN" && one.seller.as_ref().is_some_and(|seller| seller.id != Some(me))
    });
    let item = item.ok_or("the demo has no item for this user")?.id;
    let had = client.get_item().auction_id(id).item_id(item).send().await?.into_inner();
    let rename = |name: &str| {
        let patch = types::AuctionItemPatch::builder().name(name.parse::<types::AuctionItemPatchName>().ok());
        client.patch_item().auction_id(id).item_id(item).body(patch).send()
    };
    let has = rename("Another name").await?.into_inner();
    is_renamed(&had, &has)?;
    rename(&had.name).await?;

    let currencies = client.get_currencies().auction_id(id).send().await?.into_inner().currencies;
    let scalar = currencies.iter().find(|one| one.input_mode.to_string() == "SCALAR");
    let scalar = scalar.ok_or("the demo has no currency in which amounts are bid")?.id;
    let body = types::BidBody::builder()
        .amount(types::BidBodyAmount::String("200000".parse()?))
        .currency_profile_id(scalar);
    let bid = client.post_bid().auction_id(id).item_id(item).body(body).send().await?.into_inner();
    expect(bid.amount == Some(200000.0), &format!("a bid of 200000 is one of {:?}", bid.amount))?;

    for one in &items {
        let images =
            client.get_images().auction_id(id).item_id(one.id).send().await?.into_inner().images;
        let Some(image) = images.first() else { continue };
        let request =
            client.get_image().auction_id(id).item_id(one.id).image_id(image.id);
        let answer = request.size("thumbnail").send().await?;
        let bytes = answer
            .into_inner_stream()
            .try_fold(Vec::new(), |mut all, part| async move {
                all.extend(part);
                Ok(all)
            })
            .await?;
        return expect(bytes.starts_with(b"\xff\xd8"), "a picture is no JPEG");
    }
    Err("the demo has no picture".into())
}

//! Tables of items as people have them: their headers, their columns, and whose the rows are.

use serde_json::{Value, json};

use super::import::{errors, items, paste, paste_with, post, previewed};
use crate::harness::TestApp;
use crate::routes::auctions::{auction, give_role, join, wrong_fields};

#[tokio::test]
async fn the_page_reads_columns_as_they_are_chosen_below_its_preview() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "EUR"})).await;
    let page = path.trim_start_matches("/api");
    let rows = "Sale,,\nWhat,Tag,Shelf\nA vase,7,3";
    let preview = paste_with(&ada, page, rows, &[("preview", "true"), ("headerRow", "2")]).await;
    assert!(preview.text.contains("must be the header"), "no column is named: {}", preview.text);
    let rows = "Sale,,\nWhat,Number,Shelf\nA vase,7,3";
    let preview = paste(&ada, page, rows, true).await;
    for words in [
        "Row 1 stands above the header and is passed over.",
        "aria-label=\"Read What as\"",
        "<option value=\":What\" selected>Not read</option>",
        "<option value=\"name:What\">Name</option>",
        "<option value=\"lot:Number\" selected>Lot</option>",
        "These columns are not read: What, Shelf",
    ] {
        assert!(preview.text.contains(words), "{words}: {}", preview.text);
    }
    let seen = previewed(&preview);
    let chosen =
        [("column", "name:What"), ("column", "lot:Number"), ("column", ":Shelf"), ("previewed", &seen)];
    let other = paste_with(&ada, page, &rows.replace("vase", "jug"), &chosen).await;
    assert!(other.text.contains("These columns are not read: What, Shelf"), "another table: {}", other.text);
    assert!(items(&ada, &path).await.is_empty());
    let again = paste_with(&ada, page, rows, &[&chosen[..], &[("preview", "true")]].concat()).await;
    assert!(again.text.contains("<option value=\"name:What\" selected>Name</option>"), "{}", again.text);
    let done = paste_with(&ada, page, rows, &chosen).await;
    assert_eq!(done.header("location"), format!("{page}/items/import?created=1&changed=0"), "{}", done.text);
    let made = items(&ada, &path).await;
    assert_eq!((&made[0]["name"], &made[0]["lotNumber"]), (&json!("A vase"), &json!("7")));
    let wrong = paste_with(&ada, page, rows, &[("headerRow", "x")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("id=\"field-headerRow-error\""), "{}", wrong.text);
}

#[tokio::test]
async fn a_row_is_of_the_lot_that_has_its_number_without_zeros_or_its_name() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let path = auction(&ada, json!({"joinMode": "FREE", "currencyCode": "EUR"})).await;
    let first = "lot,name\n007,A vase\n8,A jug\n05,A cup\n005,A mug\n9,A pot\n10,a  pot\n11,Äpfel\n";
    post(&ada, &path, "", "k1", first).await.expect(201);
    let shown = |table: &'static str| post(&ada, &path, "?dryRun=true", "k", table);
    let rows = async |table: &'static str| {
        let document = shown(table).await.expect(200);
        let row =
            |row: &Value| format!("{} {}", row["lot"].as_str().unwrap(), row["action"].as_str().unwrap());
        let rows: Vec<String> = document["rows"].as_array().unwrap().iter().map(row).collect();
        (rows, errors(&shown(table).await))
    };
    let (found, wrong) = rows("lot,estimate\n7,5\n008,5\n").await;
    assert_eq!((found, wrong), (vec!["007 CHANGE".to_owned(), "8 CHANGE".to_owned()], Vec::new()));
    let (found, _) = rows("lot,name\n5,A new one\n").await;
    assert_eq!(found, ["5 CREATE"], "two lots have that number");
    let (found, _) = rows("name,estimate\na VASE,5\nA\u{308}PFEL,5\nA box,\n").await;
    assert_eq!(found, ["007 CHANGE", "11 CHANGE", "12 CREATE"]);
    let (_, wrong) = rows("lot,name\n7,A vase\n007,A vase\n,A vase\n").await;
    let paths: Vec<&str> = wrong.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["row 3", "row 4"], "{wrong:?}");
    post(&ada, &path, "", "k2", "name\nA vase\nA jug\nA mug\n").await.expect(201);
    assert_eq!(items(&ada, &path).await.len(), 7, "a table of names that comes twice makes nothing twice");

    join(&bob, &path).await;
    give_role(&ada, &path, &bob, "CREATOR").await;
    post(&bob, &path, "", "k1", "name\nA vase\n").await.expect(201);
    assert_eq!(items(&ada, &path).await.len(), 8, "the vase of another stays as it is");
    let own = post(&bob, &path, "", "k2", "name,estimate\nA vase,5\n").await.expect(201);
    assert_eq!((&own["created"], &own["changed"]), (&json!(0), &json!(1)));
    let (_, wrong) = rows("name,estimate\nA vase,7\n").await;
    assert!(wrong[0].1.contains("several lots: give numbers (`A vase` in A2)"), "{wrong:?}");
    let theirs = post(&bob, &path, "?dryRun=true", "k", "ID,name\n3,A pan\n").await.expect(200);
    assert!(theirs["errors"][0]["message"].as_str().unwrap().contains("`ID`"), "{theirs}");
    post(&bob, &path, "?column=:ID", "k3", "ID,name\n3,A pan\n").await.expect(201);
}

#[tokio::test]
async fn tables_of_other_programs_are_read_with_their_headers() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "EUR"})).await;
    for (key, query, table, unread, expected) in [
        (
            "picnic",
            "",
            "ID,Name,Description,Image URL,Starting Bid,Close Time\n\
             31,Pie,Apple,https://example.org/a.jpg,12,2026-12-01 18:00\n",
            json!(["Image URL"]),
            json!({"lotNumber": "31", "name": "Pie", "description": "Apple", "startingBid": "12",
                   "endDate": "2026-12-01T18:00:00.000Z"}),
        ),
        (
            "auction-night",
            "",
            "Spring sale;;;;;\n\nItem #;Item Title;Detailed item description;Fair Market Value;Opening bid;Minimum raise\n\
             32;Kite;Red;40;5;1,5\n",
            json!([]),
            json!({"lotNumber": "32", "name": "Kite", "description": "Red", "estimate": "40", "startingBid": "5",
                   "minBidIncrement": "1.5"}),
        ),
        (
            "german",
            "",
            "Los\tBezeichnung\tBeschreibung\tStartpreis\n33\tUhr\tAlt\t7\n",
            json!([]),
            json!({"lotNumber": "33", "name": "Uhr", "description": "Alt", "startingBid": "7"}),
        ),
        (
            "tag",
            "?column=lot:Tag%20%23&column=minimum:Price&column=:Rack",
            "Tag #,Listing name,Price,Rack\n34,Bell,3,R2\n",
            json!(["Rack"]),
            json!({"lotNumber": "34", "name": "Bell", "startingBid": "3"}),
        ),
    ] {
        let dry = if query.is_empty() { "?dryRun=true".to_owned() } else { format!("{query}&dryRun=true") };
        let shown = post(&ada, &path, &dry, key, table).await.expect(200);
        assert_eq!((&shown["unread"], &shown["errors"]), (&unread, &json!([])), "{key}");
        post(&ada, &path, query, key, table).await.expect(201);
        let lot = &expected["lotNumber"];
        let found = items(&ada, &path).await;
        let item = found.iter().find(|item| item["lotNumber"] == *lot).unwrap();
        for (member, value) in expected.as_object().unwrap() {
            assert_eq!(&item[member], value, "{key} {member}");
        }
    }
    let passed = "Spring sale\n\nLot,Name\n1,A vase\n";
    let shown = post(&ada, &path, "?dryRun=true", "k", passed).await.expect(200);
    assert_eq!(shown["passedOver"], json!([1, 2]));
    for (query, field) in [
        ("?headerRow=1", "headerRow"),
        ("?headerRow=9", "headerRow"),
        ("?headerRow=x", "headerRow"),
        ("?column=name", "column"),
        ("?column=colour:Name", "column"),
        ("?column=name:Colour", "column"),
        ("?column=lot:Name&column=lot:Lot", "column"),
    ] {
        for dry in ["", "&dryRun=true"] {
            let refused = post(&ada, &path, &format!("{query}{dry}"), "k", passed).await;
            refused.expect_problem(422, "INVALID_BODY");
            assert_eq!(wrong_fields(&refused), [field], "{query}{dry}");
        }
    }
    let joined =
        post(&ada, &path, "?column=name:Make&column=name:Model&dryRun=true", "k", "Make,Model\nA,B\n").await;
    assert_eq!(joined.expect(200)["rows"][0]["name"], "A B");
}

#[tokio::test]
async fn tables_of_other_programs_are_read_by_their_headings() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (table, lot, minimum, unread) in [
        (
            "TYPE,LOTNUMBER,DONOR,URL,TITLE_EN,DESCRIPTION_EN,VALUATION_EN,STARTBID,INCREMENT\nSILENT,7,Club,,A vase,Blue,40,12,2\n",
            "7",
            "12",
            json!(["TYPE", "DONOR"]),
        ),
        (
            "Listing ID,Listing Name,Offering Type,Item Description,Monetary Value of Item,Starting Price,Minimum Bid Increment\n\
             S-1,A vase,Silent Auction Listing,Blue,40,12,2\n",
            "S-1",
            "12",
            json!(["Offering Type"]),
        ),
        (
            "Catalog #,Package Name,Description,Value,Min Bid,Min Raise\n7,A vase,Blue,40,12,2\n",
            "7",
            "12",
            json!([]),
        ),
        (
            "Losnummer;Titel;Beschreibung;Sch\u{e4}tzwert;Startpreis;Mindestschritt\n7;A vase;Blue;40;12;2\n",
            "7",
            "12",
            json!([]),
        ),
    ] {
        let path = auction(&ada, json!({"currencyCode": "EUR"})).await;
        let separator = if table.contains(';') { ";" } else { "," };
        let table = table.replacen('\n', &format!("{separator}currency\n"), 1);
        let table = format!("{}{separator}EUR\n", table.trim_end());
        let shown = post(&ada, &path, "?dryRun=true", "k", table.as_str()).await.expect(200);
        assert_eq!((&shown["errors"], &shown["unread"]), (&json!([]), &unread), "{table}");
        post(&ada, &path, "", "k", table.as_str()).await.expect(201);
        let item = items(&ada, &path).await.remove(0);
        let read = json!([
            item["lotNumber"],
            item["startingBid"],
            item["minBidIncrement"],
            item["estimate"],
            item["description"]
        ]);
        assert_eq!(read, json!([lot, minimum, "2", "40", "Blue"]), "{table}");
        let wrong =
            table.replace(&format!("{separator}12{separator}"), &format!("{separator}1e3{separator}"));
        let file = post(&ada, &path, "?dryRun=true&format=csv", "k", wrong.as_str()).await.text;
        assert!(
            file.lines().nth(1).is_some_and(|line| line.contains(",2,") && line.contains("`1e3`")),
            "{file}"
        );
    }
}

//! Standings that other programs export, in the shapes in which they write them, with names of nobody.

use serde_json::{Value, json};

use super::{Class, balances, each, entries, meet, names};
use crate::harness::{Answer, Client, PASSWORD};
use crate::routes::auctions::wrong_fields;

/// Posts a file of a media type.
async fn post(client: &Client, path: &str, key: Option<&str>, (media_type, file): (&str, &str)) -> Answer {
    let request = client.request("POST", path).header("content-type", media_type);
    let request = match key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    };
    Answer::of(request.body(file.to_owned())).await
}

/// The preview of a file.
async fn preview(class: &Class, query: &str, file: (&str, &str)) -> Value {
    post(&class.teller, &class.path(&format!("import?dryRun=true&reason=Before{query}")), None, file)
        .await
        .expect(200)
}

/// The names and amounts of a preview.
fn rows(preview: &Value) -> Vec<[String; 2]> {
    let text = |row: &Value, member: &str| row[member].as_str().unwrap().to_owned();
    preview["rows"].as_array().unwrap().iter().map(|row| [text(row, "name"), text(row, "amount")]).collect()
}

/// Imports a file, and says what the two holders then have.
async fn imported(class: &Class, query: &str, file: (&str, &str)) -> Vec<(String, String)> {
    let path = class.path(&format!("import?reason=Before{query}"));
    post(&class.teller, &path, Some("k"), file).await.expect(201);
    balances(&class.owner, &class.book).await
}

const CSV: &str = "text/csv";
const JSON: &str = "application/json";

#[tokio::test]
async fn monolith_dkp_writes_csv_and_xml() {
    let class = Class::start().await;
    let csv = "player,class,DKP,previousDKP,lifetimeGained,lifetimeSpent\nHolder,MAGE,12.5,0,300,-287.5\nTeller,WARRIOR,-3,0,10,-13";
    let shown = preview(&class, "", (CSV, csv)).await;
    let expected = [["holder", "12.5"], ["teller", "-3"]];
    assert_eq!(rows(&shown), expected);
    assert_eq!(shown["unread"], json!(["class", "previousDKP", "lifetimeGained", "lifetimeSpent"]));
    // Its three exports are pasted one below the other: the history that follows is not taken for balances.
    let pasted = format!("{csv}\nplayer,DKP,date,reason\n\"Holder\",10,1583370064,\"Raid\"\n");
    assert_eq!(preview(&class, "", (CSV, &pasted)).await["errors"][0]["path"], "row 4");
    let entry = |player: &str, dkp: &str| {
        format!(
            "    <dkpentry>\n        <player>{player}</player>\n        <class>MAGE</class>\n        <dkp>{dkp}</dkp>\n        \
                 <lifetimegained>300</lifetimegained>\n        <lifetimespent>-287.5</lifetimespent>\n    </dkpentry>\n"
        )
    };
    let xml = format!("<dkptable>\n{}{}</dkptable>", entry("Holder", "12.5"), entry("Teller", "-3"));
    let xml = format!(
        "{xml}<dkphistory>\n    <historyentry>\n        <playerstring>Holder,</playerstring>\n        <dkp>5</dkp>\n    </historyentry>\n</dkphistory>"
    );
    assert_eq!(rows(&preview(&class, "", ("text/xml", &xml)).await), expected);
    assert_eq!(
        imported(&class, "", ("application/xml", &xml)).await,
        names(&[("owner", "0"), ("teller", "297"), ("holder", "312.5")])
    );
    let saved = "\nMonDKP_DB = {\n\t[\"defaults\"] = {\n\t\t[\"scale\"] = 1,\n\t},\n}\nMonDKP_Loot = {\n}\nMonDKP_DKPTable = {\n\t{\n\
                 \t\t[\"player\"] = \"Holder\",\n\t\t[\"class\"] = \"MAGE\",\n\t\t[\"dkp\"] = 12.5,\n\t}, -- [1]\n\t{\n\
                 \t\t[\"dkp\"] = -3,\n\t\t[\"player\"] = \"Teller\",\n\t}, -- [2]\n}\n";
    let shown = preview(&class, "", (CSV, saved)).await;
    assert_eq!(
        (rows(&shown), &shown["importedBefore"]["id"].is_string()),
        (expected.map(|row| row.map(str::to_owned)).to_vec(), &true)
    );
    let again = post(&class.teller, &class.path("import?reason=Before"), Some("k2"), (CSV, csv)).await;
    again.expect_problem(409, "IMPORTED_BEFORE");
    let id = class.teller.get(&class.path("imports")).await.expect(200)["imports"][0]["id"].clone();
    class
        .teller
        .post(&class.path(&format!("imports/{}/undo", id.as_str().unwrap())), json!({}))
        .await
        .expect(200);
    assert_eq!(balances(&class.owner, &class.book).await[2].1, "300");
}

#[tokio::test]
async fn clm_writes_json_and_xml_with_a_list_for_each_roster() {
    let class = Class::start().await;
    let player = |name: &str, points: &str| {
        format!(
            "{{\"spent\":40,\"name\":\"{name}\",\"points\":{points},\"guid\":\"Player-1-A\",\"class\":\"Mage\"}}"
        )
    };
    let roster = |name: &str, players: &[String]| {
        format!(
            "{{\"uid\":7,\"type\":0,\"name\":\"{name}\",\"config\":{{\"tax\":0,\"on\":true}},\"fieldNames\":[],\"standings\":{{\"player\":[{}]}}}}",
            players.join(",")
        )
    };
    let main = roster("Main", &[player("Holder-ArgentDawn", "12.375"), player("Teller-ArgentDawn", "0")]);
    let one = format!("{{\"standings\":{{\"roster\":[{main}]}}}}");
    let shown = preview(&class, "", (JSON, &one)).await;
    assert_eq!(
        (rows(&shown), &shown["passedOver"]),
        (vec![["holder".to_owned(), "12.375".to_owned()]], &json!([3]))
    );
    assert_eq!(shown["rows"][0]["realm"], "ArgentDawn");
    assert_eq!(shown["unread"], json!(["spent", "guid", "class"]));

    let two =
        format!("{{\"standings\":{{\"roster\":[{main},{}]}}}}", roster("Alts", &[player("Holder", "5")]));
    let refused = post(&class.teller, &class.path("import?dryRun=true&reason=x"), None, (CSV, &two)).await;
    assert_eq!(wrong_fields(&refused), ["sheet"]);
    assert!(refused.text.contains("`Main (standings)`, `Alts (standings)`"), "{}", refused.text);
    assert_eq!(rows(&preview(&class, "&sheet=alts%20(standings)", (JSON, &two)).await), [["holder", "5"]]);

    let xml = "<xml><standings><roster><uid>7</uid><type>0</type><name>Main</name><config>true<tax>0</tax></config><standings><player>\
               <spent>40</spent><name>Holder-ArgentDawn</name><points>12.375</points><class>Mage</class></player><player>\
               <name>Teller-ArgentDawn</name><points>0</points></player></standings></roster></standings></xml>";
    assert_eq!(rows(&preview(&class, "", ("application/xml", xml)).await), [["holder", "12.375"]]);
    assert_eq!(imported(&class, "", ("text/xml", xml)).await[2].1, "312.375");
}

#[tokio::test]
async fn epgp_addons_write_two_numbers_of_which_the_keeper_chooses_one() {
    let class = Class::start().await;
    let files = [
        (CSV, "Holder,Mage,Member,16,29,0.55\nTeller,Rogue,Alt,0,50,0\n"),
        (CSV, "Holder-Ironforge,16,29,\nTeller-Ironforge,0,50,\n"),
        (
            JSON,
            "{\"roster\": [[\"Holder\",\"Mage\",\"Member\",16,29,0.55],[\"Teller\",\"Rogue\",\"Alt\",0,50,0]],\"timestamp\":1583370064}",
        ),
        (
            JSON,
            "{\"guild\":\"Us\",\"realm\":\"Ironforge\",\"base_gp\":50,\"roster\":[[\"Holder-Ironforge\",16,29],[\"Teller-Ironforge\",0,50]],\
                \"loot\":[[1583370064,\"Holder-Ironforge\",\"item:17204::::::::60\",100]]}",
        ),
        (
            CSV,
            "#\ttimestamp\t1583370064\n#\tguild\tUs\n\n#\troster\tname,ep,gp,class\nHolder-Ironforge\t16\t29\tMAGE\nTeller-Ironforge\t0\t50\tROGUE\n\n\
               #\tlog\ttimestamp,type,name,reason,value\n1583370064\tGP\tHolder-Ironforge\t[Axe]\t29\t||cff\n",
        ),
        (CSV, "Name,Class,EP,GP,PR,Source\nHolder,MAGE,16,29,0.55,guild\nTeller,ROGUE,0,50,0.00,guild\n"),
    ];
    for (media_type, file) in files {
        let unchosen = preview(&class, "", (media_type, file)).await;
        assert_eq!(unchosen["rows"], json!([]), "{file}");
        assert!(unchosen["errors"][0]["message"].as_str().unwrap().contains("`amount`"), "{unchosen}");
        let unread = unchosen["unread"].to_string().to_ascii_lowercase();
        assert!(
            unread.contains("\"ep\"") && unread.contains("\"gp\""),
            "the columns to choose from: {unchosen}"
        );
        let chosen = preview(&class, "&column=amount:ep", (media_type, file)).await;
        assert_eq!(rows(&chosen), [["holder", "16"]], "{file}");
        let spent = preview(&class, "&column=amount:GP", (media_type, file)).await;
        assert_eq!(each(spent["rows"].as_array().unwrap(), "amount"), ["29", "50"], "{file}");
    }
    let (_, file) = files[3];
    assert_eq!(imported(&class, "&column=amount:EP", (JSON, file)).await[2].1, "316");
}

#[tokio::test]
async fn dragon_kill_party_answers_pages_of_json() {
    let class = Class::start().await;
    let item = |name: &str, cents: i64, points: &str| {
        format!(
            "{{\"account_id\":\"01A\",\"display_name\":\"{name}\",\"main_character\":{{\"id\":\"01B\",\"name\":\"Main\"}},\
             \"balance_centipoints\":{cents},\"balance_display\":\"{points}\",\"attendance_30d_bp\":8750,\"rank\":1}}"
        )
    };
    let items = [item("Holder", 1250, "12.50"), item("Teller", -300, "-3.00")].join(",");
    let page = format!("{{\"items\":[{items}],\"next_cursor\":null,\"has_more\":false}}");
    let shown = preview(&class, "", (JSON, &page)).await;
    assert_eq!(rows(&shown), [["holder", "12.5"], ["teller", "-3"]]);
    assert_eq!(shown["unread"], json!(["account_id", "balance_centipoints", "attendance_30d_bp", "rank"]));
    assert_eq!(imported(&class, "", (JSON, &page)).await[2].1, "312.5");
}

#[tokio::test]
async fn a_name_with_a_realm_is_of_the_one_who_has_it_alone() {
    let class = Class::start().await;
    let table = "player,dkp\nHolder-Ironforge,5\nHolder-Gilneas,6\nTeller-Gilneas,7\nNobody-Gilneas,8\nNobody-Ironforge,9\n";
    let shown = preview(&class, "", (CSV, table)).await;
    assert_eq!(rows(&shown), [["teller", "7"]]);
    assert_eq!(each(shown["errors"].as_array().unwrap(), "path"), ["row 2", "row 3", "row 5", "row 6"]);
    let message = shown["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("`Holder-Ironforge` in A2") && message.contains("several realms"), "{message}");
    let twin = class.app.anonymous();
    let account = json!({"email": "twin@example.org", "password": PASSWORD, "name": "Teller"});
    twin.post("/api/auth/register", account).await.expect(201);
    meet(&class.owner, &[&twin]).await;
    super::add(&class.owner, &class.book, &twin).await;
    let shown = preview(&class, "", (CSV, "player,dkp\nTeller-Gilneas,7\nHolder-Gilneas,1\n")).await;
    assert!(shown["errors"][0]["message"].as_str().unwrap().contains("several people"), "{shown}");
    assert_eq!(entries(&class.owner, &class.book).await.len(), 3, "nothing but the starting balances");
}

#[tokio::test]
async fn a_file_without_a_list_or_that_is_cut_off_is_refused() {
    let class = Class::start().await;
    let path = class.path("import?reason=x");
    let send = async |file: (&'static str, &'static str)| post(&class.teller, &path, Some("k"), file).await;
    send((JSON, "{}")).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    send((CSV, "<html><body><table>")).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let cut = send((JSON, "{\"roster\": [[\"Holder\",16,29],\n[\"Tel")).await;
    cut.expect_problem(422, "INVALID_BODY");
    assert!(cut.text.contains("line 2"), "{}", cut.text);
    let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
    post(&class.teller, &path, Some("k"), (JSON, &deep)).await.expect_problem(413, "TOO_LARGE");
    let long = format!("[\"{}\"]", "x".repeat(5_000_000));
    post(&class.teller, &path, Some("k"), (JSON, &long)).await.expect_problem(413, "TOO_LARGE");
}

#[tokio::test]
async fn the_page_takes_a_pasted_export_and_asks_for_the_amount() {
    let class = Class::start().await;
    let page = class.path("import").replace("/api", "");
    let send = async |texts: &[(&str, &str)]| {
        let field = |(name, value): &(&str, &str)| {
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let body = texts.iter().map(field).collect::<String>() + "--b--\r\n";
        let request = class.teller.request("POST", &page);
        Answer::of(request.header("content-type", "multipart/form-data; boundary=b").body(body)).await
    };
    let pasted = "{\"roster\":[[\"Holder-Ironforge\",16,29],[\"Teller-Ironforge\",0,50]],\"loot\":[[1,\"Holder\",\"item\",5]]}";
    let asked = send(&[("csv", pasted), ("reason", "Before"), ("idempotencyKey", "k")]).await;
    assert_eq!(asked.status, 200);
    for part in ["<option value=\"amount:EP\"", "Read GP as", "Nothing was imported yet", "Ironforge\",16,29"]
    {
        assert!(asked.text.contains(part), "{part}: {}", asked.text);
    }
    let previewed =
        asked.text.split("name=\"previewed\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let chosen = [
        ("csv", pasted),
        ("reason", "Before"),
        ("idempotencyKey", "k"),
        ("previewed", previewed),
        ("column", "amount:EP"),
    ];
    let shown = send(&[&chosen[..], &[("preview", "true")]].concat()).await;
    assert!(shown.text.contains("Written with “Ironforge”"), "{}", shown.text);
    assert_eq!(send(&chosen).await.status, 303);
    assert_eq!(balances(&class.owner, &class.book).await[2].1, "316");

    let wrong = [("csv", "player,dkp\nHolder,x\n"), ("reason", "Before")];
    let shown = send(&[&wrong[..], &[("preview", "true")]].concat()).await;
    assert!(shown.text.contains("name=\"wrongRows\" value=\"comma\""), "{}", shown.text);
    let file = send(&[&wrong[..], &[("wrongRows", "comma")]].concat()).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"wrong-rows.csv\"");
    assert!(
        file.text.contains("player,dkp,row,column,error\r\nHolder,x,2,dkp,\"has `x` in B2"),
        "{}",
        file.text
    );

    let list = |name: &str| {
        format!("{{\"name\":\"{name}\",\"standings\":{{\"player\":[{{\"name\":\"Holder\",\"points\":5}}]}}}}")
    };
    let two = format!("{{\"standings\":{{\"roster\":[{},{}]}}}}", list("Main"), list("Alts"));
    let asked = send(&[("csv", &two), ("reason", "Before"), ("preview", "true")]).await;
    assert!(
        asked.text.contains("field-sheet-error") && asked.text.contains("<option value=\"Alts (standings)\""),
        "{}",
        asked.text
    );
    assert!(!asked.text.contains("must be the header"), "{}", asked.text);
    let chosen = [
        ("csv", two.as_str()),
        ("reason", "Before"),
        ("sheet", "Alts (standings)"),
        ("shownSheet", ""),
        ("preview", "true"),
    ];
    assert!(send(&chosen).await.text.contains("1 row, "), "the list is read from the pasted text");
}

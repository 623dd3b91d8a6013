//! Files in the shapes that programs write.

use super::*;

/// A list that names people and points fits wholly, one that names people partly.
fn fit(headings: &[&str]) -> Fit {
    let has = |name: &str| headings.iter().any(|heading| heading.eq_ignore_ascii_case(name));
    match (has("name") || has("player"), has("points") || has("dkp")) {
        (true, true) => Fit::Wholly,
        (true, false) => Fit::Partly,
        _ => Fit::Not,
    }
}

/// Rows of a name and points.
fn named(rows: &[Vec<String>]) -> Option<Vec<&'static str>> {
    let is_number = |cell: &String| cell.parse::<i64>().is_ok();
    rows.iter().all(|row| row.len() == 2 && row.last().is_some_and(is_number)).then(|| vec!["name", "points"])
}

fn wanted(name: Option<&str>) -> Wanted<'_> {
    Wanted { name, fit: &fit, headless: Some(named) }
}

/// The table of a file, without the line that names its separator.
fn table(text: &str) -> Result<String, ListError> {
    csv_of(text, &wanted(None)).map(|csv| csv.strip_prefix("sep=,\n").unwrap().to_owned())
}

#[test]
fn a_text_is_a_table_unless_it_begins_like_lists() {
    for text in ["", "name,dkp\nAda,5\n", "[A],5\n", "<3,5", "# 1,name\n", "#\tname\n1\tAda\n", "{braces}\n"]
    {
        assert!(!are_in(text), "{text:?}");
    }
    for text in [
        "{\"a\":[]}",
        " [ {",
        "[[1]]",
        "\u{feff}<?xml",
        "<dkptable>",
        "#\tx\t1\n#\troster\tname,ep\nAda\t5\n",
    ] {
        assert!(are_in(text), "{text:?}");
        assert!(may_be_in(text.as_bytes()), "{text:?}");
    }
}

#[test]
fn the_records_of_json_are_rows_and_their_members_columns() {
    let text = "{\"standings\":{\"roster\":[{\"uid\":7,\"name\":\"Raid\",\"config\":{\"a\":1,\"b\":true},\"fieldNames\":[],\
                \"standings\":{\"player\":[{\"name\":\"Ada\",\"points\":12.125,\"class\":\"Mage\"},\
                {\"points\":-3,\"name\":\"B\u{e9}a, \\\"Bee\\\"\",\"main\":{\"name\":\"x\"},\"spent\":1e+15}]}}]}}";
    assert_eq!(
        table(text).unwrap(),
        "name,points,class,spent\nAda,12.1250,Mage,\n\"B\u{e9}a, \"\"Bee\"\"\",-3,,1000000000000000\n"
    );
    assert_eq!(table("[{\"name\":\"Ada\",\"dkp\":null}]").unwrap(), "name,dkp\nAda,\n");
}

#[test]
fn records_may_stand_below_their_keys_or_each_in_a_document_of_its_own() {
    let keyed =
        "{\"version\":2,\"people\":{\"Ada\":{\"points\":5},\"Bea\":{\"points\":7,\"main\":{\"a\":1}}}}";
    assert_eq!(table(keyed).unwrap(), "name,points\nAda,5\nBea,7\n");
    let numbered = "{\"17\":{\"name\":\"Ada\",\"points\":5},\"18\":{\"name\":\"Bea\",\"points\":7}}";
    assert_eq!(table(numbered).unwrap(), "name,points\nAda,5\nBea,7\n");
    let documents = "{\"name\":\"Ada\",\"points\":5}\n{\"name\":\"Bea\",\"points\":7}\n";
    assert_eq!(table(documents).unwrap(), "name,points\nAda,5\nBea,7\n");
    assert_eq!(table(&format!("{documents}{{\"name\"")), Err(ListError::Json(3, 7)));
}

#[test]
fn the_elements_of_xml_are_rows_also_one_alone_and_among_several_roots() {
    let one = "<dkptable>\n    <dkpentry>\n        <player>Ada</player>\n        <class>MAGE</class>\n        <dkp>12.125</dkp>\n    </dkpentry>\n</dkptable>";
    assert_eq!(table(one).unwrap(), "player,class,dkp\nAda,MAGE,12.1250\n");
    let history =
        "<dkphistory><historyentry><playerstring>Ada,</playerstring><dkp>5</dkp></historyentry></dkphistory>";
    assert_eq!(table(&format!("{one}{history}")).unwrap(), "player,class,dkp\nAda,MAGE,12.1250\n");
    // Booleans stand beside the elements, as one program writes them.
    let clm = "<xml><standings><roster><uid>7</uid><name>Raid</name><config>truefalse<tax>0</tax></config><standings>\
               <player><name>Ada &amp; &#66;ea</name><points>5</points></player>\
               <player><points>007</points><name>Zo\u{eb}</name></player>\
               </standings></roster></standings></xml>";
    assert_eq!(table(clm).unwrap(), "name,points\nAda & Bea,5\nZo\u{eb},007\n");
    assert_eq!(table("<g><p name='Ada' points='5'/></g>").unwrap(), "name,points\nAda,5\n");
}

#[test]
fn saved_variables_of_an_addon_are_read_as_they_are() {
    let text = "\nCHANNEL = \"Guild\"\nMonDKP_DB = {\n\t[\"modes\"] = {\n\t\t[\"on\"] = true,\n\t\t[\"name\"] = \"x\",\n\t},\n}\n\
        MonDKP_DKPTable = {\n\t{\n\t\t[\"player\"] = \"Ada\",\n\t\t[\"dkp\"] = 12.125,\n\t\t[\"lifetime_spent\"] = -3,\n\t}, -- [1]\n\
        \t{\n\t\t[\"dkp\"] = 0,\n\t\t[\"player\"] = \"Zo\\195\\171 \\\"Z\\\"\",\n\t}, -- [2]\n\t[\"seed\"] = nil,\n}\nMonDKP_Loot = {\n}\n";
    assert_eq!(
        table(text).unwrap(),
        "player,dkp,lifetime_spent\nAda,12.1250,-3\n\"Zo\u{eb} \"\"Z\"\"\",0,\n"
    );
    let keyed =
        "-- saved\nstandings = {\n[\"Ada\"] = { points = 5; note = \"a\" },\n[\"Bea\"] = { points = 7 } }";
    assert_eq!(table(keyed).unwrap(), "name,points,note\nAda,5,a\nBea,7,\n");
    let numbered = "points = {\n[1] = {name = \"Ada\", points = 5},\n[3] = {name = \"Bea\", points = 7},\n}";
    assert_eq!(table(numbered).unwrap(), "name,points\nAda,5\nBea,7\n");
    for (wrong, line) in [
        ("a = {\n{\"Ada\"", 2),
        ("a = {\nos.exit()}", 2),
        ("a = {\n}\nb = 1 + 1\n", 3),
        ("a = {\n[{}] = 1}", 2),
        ("a = {\n\"\\999\"}", 2),
        ("a = {\n\"open\n", 2),
    ] {
        assert_eq!(table(wrong), Err(ListError::Lua(line)), "{wrong:?}");
    }
    let deep = format!("a = {{\n{}{}", "{".repeat(40), "}".repeat(41));
    assert_eq!(table(&deep), Err(ListError::TooLarge("32 levels")));
    let many = format!("a = {{\n{}}}", "1,".repeat(VALUES_MAX));
    assert_eq!(table(&many), Err(ListError::TooLarge("500,000 values")));
    for text in ["a = 5\n", "name = {x},dkp\nAda,5\n", "a == {\n", "1 = {\n"] {
        assert!(!are_in(text), "{text:?}");
    }
}

#[test]
fn sections_have_their_columns_above_their_rows() {
    let text = "#\tversion\tv1.0\n#\tguild\tA, B\r\n\n#\troster\tname,points,class\r\nAda-Ironforge\t5\tMAGE\r\nBea-Ironforge\t-1\t\r\n\n\
                #\tlog\ttimestamp,type,value\n1\tEP\t5\t|h[Axe]|h\n";
    assert_eq!(table(text).unwrap(), "name,points,class\nAda-Ironforge,5,MAGE\nBea-Ironforge,-1,\n");
}

#[test]
fn rows_without_names_of_columns_may_be_known_by_their_cells() {
    let text = "{\"base\":100,\"roster\":[[\"Ada\",5],[\"Bea\",7]],\"loot\":[[17,\"Ada\",\"item:1:0\",5]]}";
    assert_eq!(table(text).unwrap(), "name,points\nAda,5\nBea,7\n");
    assert_eq!(table("[[\"Ada\",5,1]]").unwrap(), "Ada,5,1\n", "rows of another kind have no header");
}

#[test]
fn of_several_lists_a_request_says_which_one() {
    let roster = |name: &str, player: &str| {
        format!(
            "{{\"name\":\"{name}\",\"standings\":{{\"player\":[{{\"name\":\"{player}\",\"points\":1}}]}}}}"
        )
    };
    let text = format!(
        "{{\"standings\":{{\"roster\":[{},{}]}},\"pointHistory\":{{\"roster\":[{}]}}}}",
        roster("Main", "Ada"),
        roster("main", "Bea"),
        roster("Main", "Cid")
    );
    let names = names_of(&text, &wanted(None)).unwrap();
    assert_eq!(names, ["Main (standings)", "main (standings) 2", "Main (pointHistory)"]);
    let several = "`Main (standings)`, `main (standings) 2`, `Main (pointHistory)`".to_owned();
    assert_eq!(table(&text), Err(ListError::Several(several.clone())));
    let named = |name: &str| csv_of(&text, &wanted(Some(name)));
    assert_eq!(named(" MAIN (standings) 2").unwrap(), "sep=,\nname,points\nBea,1\n");
    assert_eq!(named("Alts"), Err(ListError::NoSuchList(several)));
}

#[test]
fn a_file_that_can_not_be_read_says_where_and_what_to_do() {
    let errors = [
        ("{\"roster\":[[\"Ada\",5],\n[\"Bea\"", ListError::Json(2, 6)),
        ("<a>\n<b>1</c></a>", ListError::Xml(2)),
        ("<a>\n<b>1", ListError::Xml(2)),
        ("<a>&nbsp;</a>", ListError::Xml(1)),
        ("<!DOCTYPE html><html><body>", ListError::Html),
        ("<html>\n<script>\nif (1 < 2) {}", ListError::Html),
        ("{}", ListError::None),
        ("[]", ListError::None),
        ("{\"name\":\"Ada\",\"points\":[1,2]}", ListError::None),
        ("<a>text</a>", ListError::None),
    ];
    for (text, error) in errors {
        assert_eq!(table(text), Err(error), "{text:?}");
    }
}

#[test]
fn a_file_is_bounded_whatever_it_is() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(40), close.repeat(40));
    assert_eq!(table(&deep("[", "]")), Err(ListError::TooLarge("32 levels")));
    assert_eq!(table(&deep("<a>", "</a>")), Err(ListError::TooLarge("32 levels")));
    let many = format!("[{}[]]", "[],".repeat(VALUES_MAX));
    assert_eq!(table(&many), Err(ListError::TooLarge("500,000 values")));
    let many = format!("<a>{}</a>", "<b/>".repeat(VALUES_MAX));
    assert_eq!(table(&many), Err(ListError::TooLarge("500,000 values")));
    let wide: Vec<String> = (0..=COLUMNS_MAX).map(|at| format!("\"c{at}\":1")).collect();
    assert_eq!(table(&format!("[{{{}}}]", wide.join(","))), Err(ListError::TooLarge("200 columns")));
    let lists: Vec<String> = (0..=LISTS_MAX).map(|at| format!("\"c{at}\":[{{\"a\":1}}]")).collect();
    assert_eq!(table(&format!("{{{}}}", lists.join(","))), Err(ListError::TooLarge("100 lists")));
    let rows = format!("[{}{{}}]", "{\"name\":\"A\",\"points\":1},".repeat(ROWS_MAX + 10));
    assert_eq!(table(&rows).unwrap().lines().count(), 1 + ROWS_MAX);
}

#[test]
fn numbers_are_those_of_a_spreadsheet() {
    let numbers = [
        ("5", Some("5")),
        ("-0", Some("0")),
        ("0.00", Some("0")),
        ("-2.5", Some("-2.5")),
        ("1.125", Some("1.1250")),
        ("1000.5", Some("1000.5")),
        ("12345678901234567890.25", Some("12345678901234567890.25")),
        ("1e3", Some("1000")),
        ("-1.5E-3", Some("-0.0015")),
        ("007", None),
        ("1,5", None),
        ("+5", None),
        (".5", None),
        ("5.", None),
        ("1e", None),
        ("1e999", None),
        ("", None),
        ("-", None),
        ("NaN", None),
    ];
    for (text, number) in numbers {
        assert_eq!(decimal(text).as_deref(), number, "{text:?}");
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let files = [
        "{\"standings\":{\"roster\":[{\"name\":\"Zo\u{eb}\",\"points\":1.5},{\"name\":\"B\\\"\",\"points\":-2e3}]}}",
        "[[\"Ada\",5],[\"Bea\",7]]",
        "<xml><p a='1'><name>Ada &amp; Zo\u{eb}</name><points>5</points></p></xml>",
        "t = {\n{[\"name\"] = \"Zo\u{eb}\\\"\", points = 5}, -- [1]\n{[\"points\"] = -2, name = \"Bea\"}; -- [2]\n}",
    ];
    for file in files {
        assert!(table(file).is_ok(), "{file}");
        for (end, _) in file.char_indices() {
            let cut = file.get(..end).unwrap();
            assert!(!are_in(cut) || table(cut).is_err(), "{cut}");
        }
    }
}

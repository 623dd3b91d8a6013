//! Tables of spreadsheets, read as a whole.

use super::*;

/// Columns with the usual names of a table of people.
const NAMED: [Column; 3] = [
    Column::optional("number").also(&["student number", "no", "id"]),
    Column::optional("name").also(&["player"]).joined(&[&["first name", "Vorname"], &["last name"]]),
    Column::optional("pin"),
];

const COLUMNS: [Column; 3] = [Column::required("number"), Column::optional("name"), Column::optional("pin")];

fn read(text: &str) -> Result<Table<3>, FieldError> {
    Table::read(text, &COLUMNS, &Reading::default(), 5).map_err(FieldError::from)
}

/// A table that is read as parameters say, such as `column=name:Title`.
fn read_as(text: &str, parameters: &[&str]) -> Result<Table<3>, FieldError> {
    let split = parameters.iter().map(|parameter| parameter.split_once('=').unwrap());
    let reading = Reading::parse(split).unwrap();
    Table::read(text, &NAMED, &reading, 5).map_err(|error| match error {
        Unreadable::Request(error) => error,
        error => panic!("{error:?}"),
    })
}

/// The rows with their numbers and the cells `number` and `name`.
fn rows(text: &str) -> Vec<(usize, String, String)> {
    let rows = read(text).unwrap().rows.into_iter();
    rows.map(|row| (row.number, row.cells[0].clone(), row.cells[1].clone())).collect()
}

fn one(number: usize, first: &str, second: &str) -> (usize, String, String) {
    (number, first.to_owned(), second.to_owned())
}

#[test]
fn the_separator_is_that_of_the_header() {
    for text in [
        "number,name\n7,Ada\n",
        "number;name\r\n7;Ada\r\n",
        "number\tname\r7\tAda",
        "\u{feff}\"Number\" ; NAME \n7; Ada ",
        "name,number\nAda,7\n",
        "class;name;number;;\n\"4;b\";Ada;7;;\n",
        "number;name,of,a,child\n7;Ada",
    ] {
        let found = rows(text);
        let [(2, number, name)] = found.as_slice() else { panic!("{text:?}: {found:?}") };
        assert_eq!(number, "7", "{text:?}");
        assert!(name == "Ada" || text.contains("child"), "{text:?}");
    }
    assert_eq!(rows("sep=;\nnumber;name\n7;Ada, B\n"), [one(2, "7", "Ada, B")]);
    assert_eq!(rows("\"sep=\t\"\r\nnumber\tname\r\n7\tAda\r\n"), [one(2, "7", "Ada")]);
    assert_eq!(rows("number\n1,2\n"), [one(2, "1,2", "")], "no separator");
}

#[test]
fn rows_are_counted_as_a_spreadsheet_shows_them() {
    let text = "number,name\r\n1,\"a\r\nb\"\r\n\r\n,,\r\n2,c\r\n3";
    assert_eq!(rows(text), [one(2, "1", "a\nb"), one(5, "2", "c"), one(6, "3", "")]);
    let text = "\n\nnumber\n\n1\n\"\n2\"\n\n3\n";
    assert_eq!(rows(text), [one(5, "1", ""), one(6, "2", ""), one(8, "3", "")]);
}

#[test]
fn other_columns_are_ignored_and_named() {
    let table = read("Class,Number,,E-mail,Shelf,\n4b,7,,a@example.org,,\n,8,x,,,\n").unwrap();
    assert_eq!(table.has, [true, false, false]);
    assert_eq!(table.layout.ignored_columns(), ["Class", "E-mail", "Shelf"]);
    assert_eq!(table.layout.unread(), ["Class", "C", "E-mail"], "only filled ones");
}

#[test]
fn a_row_that_can_not_be_read_is_named() {
    let table = read("number,name\n1,a\n2,b,c\n3,d,\n4,\0\n").unwrap();
    let paths: Vec<_> = table.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!((paths.as_slice(), table.rows.len()), (["row 3", "row 5"].as_slice(), 2));
}

#[test]
fn all_rows_with_wrong_marks_are_named_beside_the_other_errors() {
    let table = read("number,name\n1,12\" mix\n2,b\n3,c,d\n4,\"open\n").unwrap();
    let paths: Vec<_> = table.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!((paths.as_slice(), table.rows.len()), (["row 2", "row 5", "row 4"].as_slice(), 1));
    let error = read("\"number,name\n1,a\n").unwrap_err();
    assert_eq!(error.path, "row 1", "{}", error.message);
    let above = "\"Sale\nnumber,name\n1,a\n";
    let paths: Vec<_> = read(above).unwrap().errors.into_iter().map(|error| error.path).collect();
    assert_eq!(paths, ["row 1"]);
    assert_eq!(read_as(above, &["headerRow=2"]).unwrap().errors, []);
}

#[test]
fn a_table_that_can_not_be_read_says_why() {
    let error = |text: &str| {
        let error = read(text).unwrap_err();
        format!("{}: {}", error.path, error.message)
    };
    assert_eq!(
        error("name;pin\nAda;1\n"),
        "row 1: must be the header with the column `number`; it has `name`, `pin`, separated by semicolons"
    );
    assert_eq!(error("Sale\nnumber,name\n"), "row 3: is missing: there are no rows below the header");
    for empty in ["number,name\n", "number", "number,name\n\n , \n"] {
        assert_eq!(error(empty), "row 2: is missing: there are no rows below the header");
    }
    assert!(error("").starts_with("row 1: must be the header"));
    let long = format!("number\n{}", "1\n".repeat(6));
    assert_eq!(error(&long), "row 7: is one too many: a table has at most 5 rows");
}

#[test]
fn a_table_that_lacks_a_column_has_those_to_choose_from() {
    let error = Table::read("Sale\nname;pin;Nr.\nAda;1;7\n", &COLUMNS, &Reading::default(), 5).unwrap_err();
    let Unreadable::Column(error, layout) = error else { panic!("{error:?}") };
    assert_eq!(error.path, "row 2");
    assert_eq!((layout.header_row, layout.unread()), (2, vec!["Nr.".to_owned()]));
    assert_eq!(layout.columns[2].samples, ["7"]);
    let parameters = [("column", "number:Nr.")];
    let reading = Reading::parse(parameters).unwrap();
    let table = Table::read("Sale\nname;pin;Nr.\nAda;1;7\n", &COLUMNS, &reading, 5).unwrap();
    assert_eq!(cells(&table), [["7", "Ada"]]);
}

#[test]
fn a_table_without_a_header_may_be_known_by_its_rows() {
    fn headings(rows: &[Vec<String>]) -> Option<Vec<&'static str>> {
        rows.iter().all(|row| row.len() == 2 && row[1] == "yes").then(|| vec!["name", "is here"])
    }
    let expected = Expected::of(&NAMED).headless(headings);
    let read = |text: &str, parameters: &[(&str, &str)]| {
        let reading = Reading::parse(parameters.iter().copied()).unwrap();
        Table::read_expected(text, &NAMED, &expected, &reading, 5).map_err(FieldError::from)
    };
    for text in ["Player;yes\n\nBea;yes\n", "sep=;\nPlayer;yes\r\n\r\nBea;yes", "Player\tyes\n\nBea\tyes\n"] {
        let table = read(text, &[]).unwrap();
        let rows: Vec<_> = table.rows.iter().map(|row| (row.number, row.cells[1].as_str())).collect();
        assert_eq!(rows, [(1, "Player"), (3, "Bea")], "{text:?}");
        assert_eq!((table.layout.unread(), table.layout.passed_over()), (vec!["is here".to_owned()], vec![]));
    }
    let chosen = read("Player,yes\n", &[("column", "number:name"), ("column", "name:is here")]).unwrap();
    assert_eq!(cells(&chosen), [["Player", "yes"]]);
    assert_eq!(read("name,yes\n", &[("headerRow", "1")]).unwrap_err().path, "row 2", "a header is chosen");
    assert_eq!(cells(&read("player,yes\nAda,no\n", &[]).unwrap()), [["", "Ada"]], "of another kind");
}

fn cells(table: &Table<3>) -> Vec<[&str; 2]> {
    table.rows.iter().map(|row| [row.cells[0].as_str(), row.cells[1].as_str()]).collect()
}

#[test]
fn columns_have_usual_names_of_which_the_leftmost_counts() {
    for (text, expected, unread) in [
        ("First Name,Last Name,Student#\nMia,Kaya,1\n", ["1", "Mia Kaya"], [].as_slice()),
        ("last_name;vorname;#\nKaya;Mia;1\n;;2\n", ["1", "Mia Kaya"], &[]),
        ("NO.,Player,Name\n1,Mia,Kaya\n", ["1", "Mia"], &["Name"]),
        ("id,Student Number,Name\n7,1,Mia\n", ["7", "Mia"], &["Student Number"]),
        ("First Name,Name,Last Name\nMia,Mia Kaya,Kaya\n", ["", "Mia Kaya"], &["First Name", "Last Name"]),
        ("Vorname,First Name,Number\nMia,Ada,3\n", ["3", "Mia"], &["First Name"]),
        ("Last name\nKaya\n", ["", "Kaya"], &[]),
    ] {
        let table = read_as(text, &[]).unwrap();
        assert_eq!(cells(&table)[0], expected, "{text}");
        assert_eq!(table.layout.unread(), unread, "{text}");
    }
}

#[test]
fn the_header_is_the_first_row_that_names_two_columns() {
    let found = |text: &str| read_as(text, &[]).unwrap().layout.header_row;
    assert_eq!(found("f,SA,,,,155,\nPlayer,No,Class,,,,\nMia,1,4b,,,,\n"), 2);
    assert_eq!(found("Name of the club;\n\nNumber;Name\n1;Mia\n"), 3);
    assert_eq!(found("Name,Class\nMia,4b\nNumber,Name\n1,Ada\n"), 3);
    assert_eq!(found("Name,Class\nno,no\n"), 1, "two cells that name one column");
    assert_eq!(found(&format!("{}name,pin\nMia,\n", "Sale\n".repeat(19))), 20);
    let late = format!("{}name,pin\nMia,\n", "Sale\n".repeat(20));
    assert_eq!(read(&late).unwrap_err().path, "row 1");
    let table = read_as("A club; its people\n\nNumber;Name\n1;Mia\n", &[]).unwrap();
    assert_eq!((table.layout.passed_over(), table.rows[0].number), (vec![1, 2], 4));
    assert_eq!(table.rows[0].cells[0], "1", "the separator is that of the header");
}

#[test]
fn a_request_chooses_the_row_of_the_header() {
    let text = "Name,Number\nMia,1\nPlayer,No\nAda,2\n";
    let table = read_as(text, &["headerRow=3"]).unwrap();
    assert_eq!((cells(&table), table.layout.passed_over()), (vec![["2", "Ada"]], vec![1, 2]));
    for row in ["headerRow=2", "headerRow=9"] {
        assert_eq!(read_as(text, &[row]).unwrap_err().path, "headerRow", "{row}");
    }
    assert_eq!(read_as("Tag,Who\n1,Mia\n", &["headerRow=1", "column=name:Who"]).unwrap().rows.len(), 1);
}

#[test]
fn a_request_chooses_columns() {
    let text = "Tag: #,Title,Name,Who,Who\n1,Mr,Kaya,Mia,4b\n";
    let chosen = |choices: &[&str]| {
        let table = read_as(text, choices).unwrap();
        (cells(&table)[0].map(str::to_owned), table.layout.unread().join(","))
    };
    let read =
        |number: &str, name: &str, unread: &str| ([number.to_owned(), name.to_owned()], unread.to_owned());
    assert_eq!(chosen(&[]), read("", "Kaya", "Tag: #,Title,Who,Who"));
    assert_eq!(chosen(&["column=number:Tag: #"]), read("1", "Kaya", "Title,Who,Who"));
    assert_eq!(chosen(&["column=name:who", "column=name:NAME"]), read("", "Mia Kaya", "Tag: #,Title,Who"));
    assert_eq!(chosen(&["column=name:Who", "column=:Who"]), read("", "Mia", "Tag: #,Title,Name,Who"));
    assert_eq!(chosen(&["column=:Who", "column=name:Who"]), read("", "4b", "Tag: #,Title,Name,Who"));
    assert_eq!(chosen(&["column=:Name", "column=pin:Title"]), read("", "", "Tag: #,Name,Who,Who"));
    for (choices, words) in [
        (["column=colour:Title"].as_slice(), "`colour`"),
        (&["column=name:Colour"], "`Colour`"),
        (&["column=:Colour"], "`Colour`"),
        (&["column=pin:Who", "column=pin:Name"], "one column"),
        (&["column=pin:Title", "column=name:Title"], "once"),
    ] {
        let error = read_as(text, choices).unwrap_err();
        assert!(error.path == "column" && error.message.contains(words), "{error:?}");
    }
    let table = read_as("Vorname,,Klasse\nMia,Kaya,4b\n", &["column=name:vorname", "column=name:B"]).unwrap();
    assert_eq!(cells(&table)[0][1], "Mia Kaya", "a column without a heading has its letters");
    let names = read_as("Surname,First name\nKaya,Mia\n", &["column=name:Surname", "column=name:First name"]);
    assert_eq!(cells(&names.unwrap())[0][1], "Kaya Mia", "in the order of the request");
    let names =
        read_as("Last name,First name\nKaya,Mia\n", &["column=name:Last name", "column=name:First name"]);
    assert_eq!(cells(&names.unwrap())[0][1], "Mia Kaya", "but a first name is first");
}

#[test]
fn a_heading_of_several_lines_is_chosen_by_its_words() {
    let table = read_as("\"Who\nplays\",no\nMia,1\n", &["column=name:Who\r\nplays"]).unwrap();
    assert_eq!(cells(&table), [["1", "Mia"]]);
}

#[test]
fn a_chosen_heading_makes_a_row_the_header() {
    let text = "Sale 7\nWho,Tag\nMia,1\n";
    let table = read_as(text, &["column=name:Who"]).unwrap();
    assert_eq!((table.layout.header_row, cells(&table)), (2, vec![["", "Mia"]]));
}

#[test]
fn a_cell_is_quoted_with_its_address() {
    let table = read_as("Sale\nClass,PIN,No\n4b,12,x1\n", &[]).unwrap();
    let row = &table.rows[0];
    assert_eq!([row.cell(0), row.cell(2), row.cell(1)], ["`x1` in C3", "`12` in B3", "``"]);
    assert_eq!(row.address(1), None);
    assert!(excerpt(&"ä".repeat(41)).ends_with("ä…"));
}

/// Kinds of rows of which lots are read.
const KINDS: Kinds = Kinds { column: "kind", beside: "bidId", read: "LOT" };

#[test]
fn of_rows_of_several_kinds_one_is_read() {
    let read = |text: &str, choices: &[&str]| {
        let split = choices.iter().map(|parameter| parameter.split_once('=').unwrap());
        let reading = Reading::parse(split).unwrap();
        Table::read_expected(text, &NAMED, &Expected::of(&NAMED).kinds(KINDS), &reading, 2).unwrap()
    };
    let text = "Sale\nkind,number,bidId,name\nLOT,1,,Mia\nBID,1,7,\nBID,1,8,\nLOT,2,,Ada\n";
    let table = read(text, &[]);
    assert_eq!(cells(&table), [["1", "Mia"], ["2", "Ada"]]);
    assert_eq!((table.layout.passed_over(), table.layout.others), (vec![1, 4, 5], 2));
    assert_eq!(
        (table.layout.unread(), table.layout.ignored_columns()),
        (Vec::new(), vec!["bidId".to_owned()])
    );
    let without = read("kind,number\nBID,1\n", &[]);
    assert_eq!(without.rows.len(), 1, "a table of another program");
    let chosen = read("kind,number,bidId\nBID,1,7\n", &["column=name:kind"]);
    assert_eq!(cells(&chosen), [["1", "BID"]]);
}

#[test]
fn the_line_that_names_the_separator_is_left_out_where_nothing_depends_on_it() {
    let shown = |text: &str| without_named_separator(text.to_owned(), &COLUMNS);
    assert_eq!(shown("sep=,\nnumber,name\n7,Ada\n"), "number,name\n7,Ada\n");
    assert_eq!(shown("number;name\n7;Ada\n"), "number;name\n7;Ada\n");
    for needed in ["sep=,\nnumber,a;name;pin\n7,Ada\n", "sep=,\nnumber\n7\n", "sep=;\nnumber,name\n7,Ada\n"] {
        assert_eq!(shown(needed), needed);
    }
}

//! What a table of people would do to a group: each row adds a managed user, changes one, or nothing.

use std::collections::{HashMap, HashSet};
use std::fmt;

use accounts::groups::{GroupPerson, NotAPin, PEOPLE_MAX, PersonNumber, Pin, headings};
use accounts::name::{PersonName, TypedName};

use crate::ids::UserId;
use crate::imports::ImportedBefore;
use platform::fields::FieldError;
use platform::table::{self, Column, ContentHash, Expected, Layout, Reading, Table, Unreadable, row_path};
use platform::text::caseless;
use platform::text_enum;

/// Rows of one import, at most.
pub const ROWS_MAX: usize = 2_000;
/// Indices of the columns.
const NUMBER: usize = 0;
const NAME: usize = 1;
const PIN: usize = 2;
/// The columns with the names that clubs, classes and other programs give them.
pub const COLUMNS: [Column; 3] = [
    Column::optional("number").also(headings::NUMBER),
    Column::optional("name").also(headings::NAME).joined(headings::NAME_PARTS),
    Column::optional("pin"),
];
/// The tables that an import of people expects.
pub const EXPECTED: Expected = Expected::of(&COLUMNS);

text_enum! {
    /// What a row of an import does.
    #[schema(as = ImportAction)]
    pub enum ImportAction {
        Create = "CREATE",
        Change = "CHANGE",
        None = "NONE",
    }
}

/// A table that is read: its valid rows, and the errors of the others.
#[derive(Debug, Default)]
pub struct PeopleTable {
    rows: Vec<Row>,
    errors: Vec<FieldError>,
    layout: Layout,
    hash: Option<ContentHash>,
}

#[derive(Debug)]
struct Row {
    number: Option<PersonNumber>,
    name: Option<TypedName>,
    pin: Option<Pin>,
    cells: table::Row<{ COLUMNS.len() }>,
}

/// A row with its person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub row: usize,
    /// None for a keeper without one.
    pub number: Option<PersonNumber>,
    /// Name of the keeper who gives up the number.
    pub taken_from: Option<String>,
    /// The user whom the row changes, with the name so far.
    pub had: Option<(UserId, String)>,
    /// Another name.
    pub name: Option<PersonName>,
    pub pin: Option<Pin>,
}

/// What a table would do to a group as it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PeoplePlan {
    pub rows: Vec<Planned>,
    pub errors: Vec<FieldError>,
    pub layout: Layout,
    /// Hash of the cells of the table.
    pub hash: Option<ContentHash>,
    pub imported_before: Option<ImportedBefore>,
}

impl Planned {
    pub fn action(&self) -> ImportAction {
        match &self.had {
            None => ImportAction::Create,
            Some(_) if self.name.is_some() || self.pin.is_some() => ImportAction::Change,
            Some(_) => ImportAction::None,
        }
    }
}

impl PeopleTable {
    /// # Errors
    /// The request chooses a header or columns that the table lacks.
    pub fn read(csv: &str, reading: &Reading) -> Result<Self, FieldError> {
        let table = match Table::read(csv, &COLUMNS, reading, ROWS_MAX) {
            Ok(table) => table,
            Err(Unreadable::Table(error)) => return Ok(Self { errors: vec![error], ..Self::default() }),
            Err(Unreadable::Column(error, layout)) => {
                return Ok(Self { errors: vec![error], layout: *layout, ..Self::default() });
            }
            Err(Unreadable::Request(error)) => return Err(error),
        };
        // No PIN is kept but by its slow hash: the contents say that there is one.
        let hash = table.content_hash(&COLUMNS, &[], |at, cell| match at {
            PIN if !cell.is_empty() => "given",
            _ => cell,
        });
        let Table { rows, errors, layout, .. } = table;
        let mut people = Self { rows: Vec::with_capacity(rows.len()), errors, layout, hash };
        let mut numbers = HashSet::new();
        for cells in rows {
            let row = cells.number;
            match check(cells).and_then(|row| unique(row, &mut numbers)) {
                Ok(row) => people.rows.push(row),
                Err(message) => people.errors.push(FieldError::new(row_path(row), message)),
            }
        }
        Ok(people)
    }

    /// Headings of the filled columns that an import does not read.
    pub fn unread(csv: &str, reading: &Reading) -> Vec<String> {
        Self::read(csv, reading).map(|people| people.layout.unread()).unwrap_or_default()
    }

    /// What the rows do to a group of these people, who are in order.
    pub fn plan(self, people: &[GroupPerson]) -> PeoplePlan {
        let known = Known::of(people);
        let mut plan =
            PeoplePlan { errors: self.errors, layout: self.layout, hash: self.hash, ..PeoplePlan::default() };
        let mut taken: Vec<PersonNumber> = known.numbers.keys().copied().collect();
        let given = self.rows.iter().filter_map(|row| row.number);
        taken.extend(given.filter(|number| !known.numbers.contains_key(number)));
        taken.sort_unstable();
        let numbered = self.rows.iter().filter_map(|row| known.with_number(row));
        let mut named: HashSet<UserId> = numbered.map(|person| person.person.id).collect();
        let free: Vec<PersonNumber> = PersonNumber::lowest_free(&taken).take(self.rows.len()).collect();
        let (mut free, mut added) = (free.into_iter(), people.len());
        for row in self.rows {
            let planned = known.person_of(&row, &mut named).and_then(|had| {
                added += usize::from(had.is_none());
                let number = match had {
                    Some(had) => had.number,
                    None if added > PEOPLE_MAX => {
                        return Err("is beyond the 2,000 people of a group".to_owned());
                    }
                    None => row.number.or_else(|| free.next()),
                };
                let taken_from = row.number.filter(|_| had.is_none());
                let taken_from = taken_from.and_then(|number| known.numbers.get(&number));
                let taken_from = taken_from.map(|keeper| keeper.person.name.clone());
                Ok(Planned { taken_from, ..planned(&row, had, number)? })
            });
            match planned {
                Ok(planned) => plan.rows.push(planned),
                Err(message) => plan.errors.push(FieldError::new(row_path(row.cells.number), message)),
            }
        }
        plan
    }
}

/// The people of a group, as rows name them.
struct Known<'p> {
    numbers: HashMap<PersonNumber, &'p GroupPerson>,
    /// People by their names without regard to case. None if several have one.
    names: HashMap<String, Option<&'p GroupPerson>>,
}

impl<'p> Known<'p> {
    fn of(people: &'p [GroupPerson]) -> Self {
        let mut names = HashMap::new();
        for person in people {
            let several = |only: &mut Option<&GroupPerson>| *only = None;
            names.entry(caseless(&person.person.name)).and_modify(several).or_insert(Some(person));
        }
        let numbers = people.iter().filter_map(|person| Some((person.number?, person)));
        Self { numbers: numbers.collect(), names }
    }

    /// The person who has the number of a row. A keeper gives up the number, unless the row has the keeper's
    /// name.
    fn with_number(&self, row: &Row) -> Option<&'p GroupPerson> {
        let person = self.numbers.get(&row.number?).copied()?;
        let is_same = || caseless(row.typed_name()) == caseless(&person.person.name);
        Some(person).filter(|person| !person.role.keeps() || is_same())
    }

    /// The person whom a row names: by number, and without one by name. `named` are the people of rows with a
    /// number, and of rows so far.
    fn person_of(&self, row: &Row, named: &mut HashSet<UserId>) -> Result<Option<&'p GroupPerson>, String> {
        if row.number.is_some() {
            return Ok(self.with_number(row));
        }
        let cell = row.cells.cell(NAME);
        match self.names.get(&caseless(row.typed_name())) {
            None => Ok(None),
            Some(None) => Err(format!("has {cell}, the name of several people of the group: give numbers")),
            Some(Some(person)) if named.insert(person.person.id) => Ok(Some(person)),
            Some(Some(_)) => Err(format!("has {cell}, the name of a person of another row: give numbers")),
        }
    }
}

/// The effect of a row. `had` is the person whom it names, with the number.
fn planned(row: &Row, had: Option<&GroupPerson>, number: Option<PersonNumber>) -> Result<Planned, String> {
    // A name by which a row finds its person changes nothing.
    let name = row.name.clone().filter(|_| had.is_none() || row.number.is_some());
    let present = had.map_or("", |had| had.person.name.as_str());
    let name = name.map(|name| name.of_user(present, number.as_slice())).transpose();
    let name = name.map_err(|error| no_name(&row.cells, &error))?;
    let name = name.filter(|name| had.is_none_or(|had| is_other(name.as_str(), had)));
    if had.is_some_and(|had| !had.is_managed) && (name.is_some() || row.pin.is_some()) {
        return Err("is of a person with an e-mail, whose name and PIN are not yours to change".to_owned());
    }
    let had = had.map(|had| (had.person.id, had.person.name.clone()));
    Ok(Planned { row: row.cells.number, number, taken_from: None, had, name, pin: row.pin.clone() })
}

/// Whether a name changes that of a person. That of a user with an e-mail, which is not a keeper's to change,
/// is the same in any case.
fn is_other(name: &str, had: &GroupPerson) -> bool {
    match had.is_managed {
        true => name != had.person.name,
        false => caseless(name) != caseless(&had.person.name),
    }
}

impl Row {
    fn typed_name(&self) -> &str {
        let [_, name, _] = &self.cells.cells;
        name
    }
}

fn no_name(cells: &table::Row<{ COLUMNS.len() }>, error: &impl fmt::Display) -> String {
    format!("has {}, a name that can’t be used: {error}", cells.cell(NAME))
}

/// The cells of a row, or all that is wrong with them.
fn check(mut cells: table::Row<{ COLUMNS.len() }>) -> Result<Row, String> {
    let mut wrong = Vec::new();
    // No message and no log shows a PIN.
    let (at, typed) = (cells.address(PIN).unwrap_or_default(), cells.take(PIN));
    let [number, name, _] = &cells.cells;
    let number = (!number.is_empty()).then(|| {
        let invalid = |_| wrong.push(format!("has {}: write a number from 1 to 9999", cells.cell(NUMBER)));
        number.parse().map_err(invalid).ok()
    });
    let name = (!name.is_empty()).then(|| {
        let invalid = |error| wrong.push(no_name(&cells, &error));
        name.parse().map_err(invalid).ok()
    });
    let pin = (!typed.is_empty()).then(|| {
        let invalid = |error| {
            wrong.push(match error {
                NotAPin::Form => format!("has a PIN in {at} that is not 4 to 8 digits"),
                NotAPin::Weak => format!("has a PIN in {at} that {error}"),
            });
        };
        typed.parse().map_err(invalid).ok()
    });
    let (number, name, pin) = (number.flatten(), name.flatten(), pin.flatten());
    if wrong.is_empty() { Ok(Row { number, name, pin, cells }) } else { Err(wrong.join(", and ")) }
}

fn unique(row: Row, numbers: &mut HashSet<PersonNumber>) -> Result<Row, String> {
    match row.number {
        Some(number) if !numbers.insert(number) => {
            Err(format!("has {}, the number of an earlier row", row.cells.cell(NUMBER)))
        }
        _ => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::people::plan_document::PlanDocument;
    use accounts::Person;
    use accounts::groups::GroupRole;
    use platform::time::Moment;

    fn person(number: i64, name: &str, is_managed: bool) -> GroupPerson {
        let now = Moment::from_millis(0).unwrap();
        GroupPerson {
            number: Some(number.try_into().unwrap()),
            person: Person { id: UserId::new(now), name: name.to_owned() },
            is_managed,
            role: GroupRole::Person,
            is_disabled: false,
            locked_until: None,
            failures: 0,
            upgraded_at: None,
            last_sign_in_at: None,
            created_at: now,
        }
    }

    type Rows = Vec<(usize, i64, String, ImportAction)>;

    /// The rows, and the paths of the errors.
    fn actions(csv: &str) -> (Rows, Vec<String>) {
        let people = [person(1, "Boss", false), person(3, "Ada", true)];
        let document = PlanDocument::from(PeopleTable::read(csv, &Reading::default()).unwrap().plan(&people));
        let rows = document.rows.into_iter().map(|row| (row.row, row.number.unwrap(), row.name, row.action));
        (rows.collect(), document.errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn a_row_adds_changes_or_does_nothing() {
        use ImportAction::{Change, Create, None};
        let csv = "Class;Name;Number;PIN\n4b;Ada;3;\n4b;Änne;;\n4b;Ada L.;3\n4b;;9;4711\n4b;boss;;\n";
        let (rows, errors) = actions(csv);
        let one = |row, number, name: &str, action| (row, number, name.to_owned(), action);
        let expected = [
            one(2, 3, "Ada", None),
            one(3, 2, "Änne", Create),
            one(5, 9, "Number 9", Create),
            one(6, 1, "Boss", None),
        ];
        assert_eq!((rows, errors), (expected.to_vec(), vec!["row 4".to_owned()]));
        let (rows, _) = actions("number,name,pin\n3,Ada L.,\n");
        assert_eq!(rows, [one(2, 3, "Ada L.", Change)]);
        let (rows, errors) = actions("number,name\n1,Boss\n");
        assert_eq!(
            (rows, errors.len()),
            (vec![one(2, 1, "Boss", None)], 0),
            "the name of a user with an e-mail"
        );
        let (rows, _) = actions("pin,number\n0042,3\n");
        assert_eq!(rows, [one(2, 3, "Ada", Change)]);
    }

    #[test]
    fn each_row_that_is_wrong_is_named() {
        let csv = "number,name,pin\n0,a,\n1,Other,\n,deleted user,\n5,b,123\n6,c,4711\n6,d,\n";
        let (rows, errors) = actions(csv);
        assert_eq!(errors, ["row 2", "row 4", "row 5", "row 7", "row 3"]);
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn a_row_without_a_number_is_of_the_person_with_its_name() {
        use ImportAction::{Change, Create, None};
        let now_twice = [person(2, "Mia", true), person(3, "Ada", true), person(4, "Ada", true)];
        let read = |csv: &str| PeopleTable::read(csv, &Reading::default()).unwrap().plan(&now_twice);
        let found = |csv: &str| {
            let document = PlanDocument::from(read(csv));
            let rows =
                document.rows.into_iter().map(|row| (row.row, row.number.unwrap(), row.name, row.action));
            let errors =
                document.errors.into_iter().map(|error| format!("{}: {}", error.path, error.message));
            (rows.collect::<Vec<_>>(), errors.collect::<Vec<_>>())
        };
        let one = |row, number, name: &str, action| (row, number, name.to_owned(), action);
        let (rows, errors) = found("name,pin\nMIA,\nBob,\nBob,\n");
        assert_eq!(rows, [one(2, 2, "Mia", None), one(3, 1, "Bob", Create), one(4, 5, "Bob", Create)]);
        assert_eq!(errors, [""; 0]);
        let (rows, _) = found("name,pin\nmia,0042\n");
        assert_eq!(rows, [one(2, 2, "Mia", Change)], "with another PIN and the name as it is");
        let (_, errors) = found("name,number\nada,\nMia,\nMia,\nAda,3\n");
        assert_eq!(errors.len(), 2, "{errors:?}");
        for (error, words) in errors.iter().zip(["row 2: has `ada` in A2", "row 4: has `Mia` in A4"]) {
            assert!(error.starts_with(words) && error.ends_with("give numbers"), "{error}");
        }
        let (_, errors) = found("name,number\nMia,\nZoe,2\n");
        assert_eq!(errors.len(), 1, "{errors:?}");
    }

    #[test]
    fn all_that_is_wrong_with_a_row_is_said_without_its_pin() {
        let table =
            PeopleTable::read("Player #,Player,PIN\nx7,deleted user,12\n", &Reading::default()).unwrap();
        let message = &table.errors[0].message;
        for words in ["`x7` in A2", "`deleted user` in B2", "a PIN in C2"] {
            assert!(message.contains(words), "{message}");
        }
        assert!(!message.contains("`12`"), "{message}");
    }
}

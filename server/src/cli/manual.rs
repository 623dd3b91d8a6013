//! The manual page farthing(1), made from the help. Packages have the copy in `xtask/package`, also those for
//! a processor on which the program cannot print it.

use std::path::Path;

use clap::{Arg, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

use super::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../xtask/package/farthing.1");

const SYNOPSIS: &str = r#".SH SYNOPSIS
\fBfarthing\fR [\fIoptions\fR] [\fIcommand\fR]
"#;

const END: &str = r#".SH FILES
.TP
\fI/etc/farthing/farthing.toml\fR
The settings of a package's installation.
.TP
\fI/var/lib/farthing\fR
Its database, pictures, backups and releases. The service runs as the user \fBfarthing\fR, and commands about the
installation are given as that user.
.SH "EXIT STATUS"
0 if the command has done what it says, 1 if it has not, which it explains in one line, and 2 for a wrong command line.
.SH "SEE ALSO"
The pages for operators in \fI/usr/lib/farthing/docs/operate\fR.
"#;

fn page() -> String {
    let mut command = Command::command();
    command.build();
    let man = Man::new(command.clone()).source("Farthing").manual("Farthing");
    let mut page = Vec::new();
    man.render_title(&mut page).unwrap();
    man.render_name_section(&mut page).unwrap();
    page.extend_from_slice(SYNOPSIS.as_bytes());
    man.render_description_section(&mut page).unwrap();
    commands(&command).to_writer(&mut page).unwrap();
    man.render_options_section(&mut page).unwrap();
    String::from_utf8(page).unwrap() + END
}

/// All commands in one section: they have no pages of their own.
fn commands(of: &clap::Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    describe(&mut roff, "", of);
    roff
}

fn describe(roff: &mut Roff, before: &str, of: &clap::Command) {
    let shown = |command: &&clap::Command| !command.is_hide_set() && command.get_name() != "help";
    for command in of.get_subcommands().filter(shown) {
        let name = format!("{before}{}", command.get_name());
        if command.has_subcommands() {
            describe(roff, &format!("{name} "), command);
            continue;
        }
        let own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
        let args: Vec<&Arg> = command.get_arguments().filter(own).collect();
        let line = args.iter().flat_map(|arg| [vec![roman(" ")], optional(arg)].concat());
        roff.control("TP", []).text(std::iter::once(bold(name)).chain(line).collect::<Vec<_>>());
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        roff.text([roman(format!("{about}."))]);
        for arg in args.iter().filter(|arg| arg.get_help().is_some()) {
            let mut line = written(arg);
            line.push(roman(format!(": {}.", arg.get_help().unwrap())));
            roff.control("IP", []).text(line);
        }
    }
}

/// In brackets unless it is required.
fn optional(arg: &Arg) -> Vec<Inline> {
    match arg.is_required_set() {
        true => written(arg),
        false => [vec![roman("[")], written(arg), vec![roman("]")]].concat(),
    }
}

/// An option with its value, or a value.
fn written(arg: &Arg) -> Vec<Inline> {
    let mut line: Vec<Inline> = arg.get_long().map(|long| bold(format!("--{long}"))).into_iter().collect();
    let takes_value = arg.get_action().takes_values();
    if let Some(names) = arg.get_value_names().filter(|_| takes_value) {
        if !line.is_empty() {
            line.push(roman(" "));
        }
        line.push(italic(names.join(" ")));
    }
    line
}

/// `FARTHING_WRITE_MANUAL=1` writes the copy anew.
#[test]
#[expect(clippy::disallowed_methods, reason = "not a setting of the program")]
fn the_manual_page_is_that_of_the_help() {
    let page = page();
    if std::env::var_os("FARTHING_WRITE_MANUAL").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let copy = std::fs::read_to_string(Path::new(PAGE)).unwrap_or_default();
    assert!(copy == page, "{PAGE} differs: FARTHING_WRITE_MANUAL=1 writes it anew");
}

//! What a terminal gets: colours only where they are wanted, and never the
//! escape sequences of a program's names.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;
use std::thread::JoinHandle;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::{LIMIT, Scratch, finish, node};

const ESCAPE: char = '\u{1b}';

/// Calls the program on a terminal, and gives all that it wrote there.
fn on_terminal(scratch: &Scratch, args: &[&str], environment: &[(&str, &str)]) -> String {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let ours = openpt(flags).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
    let mut command = scratch.command(args);
    command.envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(theirs()).stderr(theirs());
    let started = std::time::Instant::now();
    let child = command.spawn().unwrap();
    drop(command);
    let reader: JoinHandle<Vec<u8>> = std::thread::spawn(move || {
        let (mut bytes, mut file) = (Vec::new(), File::from(ours));
        // Reading fails once the other end is closed: that is the end.
        let _ = file.read_to_end(&mut bytes);
        bytes
    });
    finish(child, started, LIMIT);
    String::from_utf8(reader.join().unwrap()).unwrap()
}

/// One program with a verdict of each kind and a warning.
fn program() -> Scratch {
    let scratch = Scratch::new();
    let body = "  ok = b -> pre ok;\n  --%PROPERTY ok;\n  check \"same\" i = i;\n  \
                check \"hidden\" pre i = 0;";
    scratch.write("p.lus", node(body));
    scratch
}

#[test]
fn a_pipe_gets_no_colours() {
    let run = program().lustral(&["check", "p.lus"]).expect(40);
    assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE));
    assert!(run.stderr.contains("warning[unguarded-pre]"), "{}", run.stderr);
}

#[test]
fn a_terminal_gets_colours() {
    let text = on_terminal(&program(), &["check", "p.lus"], &[("TERM", "xterm")]);
    assert!(text.contains("\u{1b}[1;31mfalsifiable\u{1b}[0m"), "{text:?}");
    assert!(text.contains("\u{1b}[1;32mvalid"), "{text:?}");
}

#[test]
fn a_user_who_wants_no_colours_gets_none() {
    for environment in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let text = on_terminal(&program(), &["check", "p.lus"], &[environment]);
        assert!(text.contains("falsifiable ok"), "{text:?}");
        assert!(!text.contains(ESCAPE), "{environment:?}: {text:?}");
    }
    let text = on_terminal(&program(), &["check", "p.lus"], &[("NO_COLOR", ""), ("TERM", "xterm")]);
    assert!(text.contains(ESCAPE), "an empty NO_COLOR means nothing");
}

#[test]
fn json_is_the_same_on_a_terminal() {
    let text = on_terminal(&program(), &["check", "--json", "p.lus"], &[("TERM", "xterm")]);
    assert!(!text.contains(ESCAPE), "{text:?}");
    text.lines().for_each(|line| drop(crate::common::json_line(line)));
}

/// Names that would clear a screen, set a title, hide text or turn it around.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{202e}\u{8}";

fn assert_harmless(text: &str) {
    let bad = |c: &char| c.is_control() && *c != '\n' || ('\u{202a}'..='\u{202e}').contains(c);
    assert_eq!(text.chars().find(bad), None, "{text:?}");
}

#[test]
fn hostile_names_reach_no_terminal() {
    let scratch = Scratch::new();
    let name = format!("{HOSTILE}.lus");
    let body = format!("  ok = b;\n  --%PROPERTY \"{HOSTILE}\" ok;\n  check \"{HOSTILE}\" pre b;");
    scratch.write(&name, node(&body));
    scratch.write("cert/manifest.json", "{");
    let manifest = format!(
        "{{\"format\":1,\"lustral\":\"\",\"solver\":\"\",\"node\":\"\",\"property\":{HOSTILE:?},\
         \"proof\":{HOSTILE:?},\"k\":1,\"invariants\":[],\"sources\":[],\"obligations\":[]}}"
    );
    scratch.write(&format!("{HOSTILE}/manifest.json"), manifest);
    let inputs = format!("b,i,r\n{HOSTILE},1,1\n");
    scratch.write("inputs.csv", inputs);
    let folder = HOSTILE;
    for args in [
        &["check", &name][..],
        &["check", "--node", HOSTILE, &name],
        &["check", "--certificate", folder, "--html", &name, &name],
        &["check", HOSTILE],
        &["simulate", &name],
        &["simulate", "--node", HOSTILE, &name],
        &["simulate", "--inputs", "inputs.csv", &name],
        &["simulate", "--inputs", HOSTILE, &name],
        &["certify", HOSTILE],
        &["certify", "cert", folder],
        &["dump", "--stage", "typed", HOSTILE],
    ] {
        let run = scratch.lustral(args);
        assert_harmless(&run.stdout);
        assert_harmless(&run.stderr);
    }
}

#[test]
fn hostile_names_in_dumps_reach_no_terminal() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node(&format!("  ok = b;\n  --%PROPERTY \"{HOSTILE}\" ok;")));
    for stage in ["tokens", "typed", "system", "prepared"] {
        let run = scratch.lustral(&["dump", "--stage", stage, "p.lus"]).expect(0);
        assert_harmless(&run.stdout);
        assert_harmless(
            &scratch.lustral(&["dump", "--stage", stage, "--node", HOSTILE, "p.lus"]).stderr,
        );
    }
}

#[test]
fn hostile_texts_in_programs_reach_no_terminal() {
    let scratch = Scratch::new();
    let text = format!("include \"{HOSTILE}\"\n{}", node(&format!("  ok = {HOSTILE}b;")));
    scratch.write("p.lus", text);
    let run = scratch.lustral(&["check", "p.lus"]).expect(3);
    assert_harmless(&run.stderr);
}

/// Old terminals take U+009B for the beginning of an escape sequence too.
#[test]
fn control_characters_beyond_ascii_reach_no_terminal() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = b; -- \u{9b}31m\n  ok = i; -- \u{85}\u{9f}"));
    assert_harmless(&scratch.lustral(&["check", "p.lus"]).expect(3).stderr);
}

#[test]
fn hostile_names_of_solvers_reach_no_terminal() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = b;"));
    let solver = format!("./{HOSTILE}");
    assert_harmless(&scratch.lustral(&["check", "--solver", &solver, "p.lus"]).stderr);
}

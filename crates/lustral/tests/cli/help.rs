//! The help texts.

use lustral_engines::EngineChoice;

use crate::common::lustral;

#[test]
fn every_command_explains_itself() {
    let overview = lustral(&["--help"]).expect(0).stdout;
    for command in ["check", "realize", "houdini", "horn", "simulate", "certify", "dump", "schema"]
    {
        assert!(overview.contains(&format!("\n  {command} ")), "{overview}");
        let long = lustral(&[command, "--help"]).expect(0);
        assert!(long.stdout.contains(&format!("Usage: lustral {command}")), "{}", long.stdout);
        assert!(long.stderr.is_empty());
        assert_eq!(lustral(&["help", command]).expect(0).stdout, long.stdout);
        lustral(&[command, "-h"]).expect(0);
    }
}

#[test]
fn every_option_is_described() {
    let options: [(&str, &[&str]); 5] = [
        (
            "check",
            &[
                "--node",
                "--every-node",
                "--engine",
                "--max-k",
                "--timeout",
                "--seed",
                "--solver",
                "--prepare",
                "--called-nodes",
                "--templates",
                "--abduction",
                "--candidates",
                "--invariants-in",
                "--invariants-out",
                "--cache",
                "--explain",
                "--json",
                "--html",
                "--certificate",
            ],
        ),
        ("simulate", &["--node", "--inputs", "--steps", "--seed", "--format", "--all"]),
        (
            "horn",
            &["--node", "--property", "--inline", "--format", "--called-nodes", "-o, --output"],
        ),
        ("certify", &["--solver", "--timeout"]),
        ("dump", &["--stage", "--node"]),
    ];
    for (command, names) in options {
        let help = lustral(&[command, "-h"]).expect(0).stdout;
        for name in names {
            let line = help.lines().find(|line| line.trim_start().starts_with(name));
            let line = line.unwrap_or_else(|| panic!("{name} of {command} is missing:\n{help}"));
            assert!(line.split("  ").filter(|part| !part.trim().is_empty()).count() > 1, "{line}");
        }
    }
}

#[test]
fn every_engine_is_named() {
    let help = lustral(&["check", "--help"]).expect(0).stdout;
    let from = help.find("--engine").unwrap();
    let text = &help[from..from + help[from..].find("--max-k").unwrap()];
    for engine in EngineChoice::ALL {
        let word = |w: &str| w.trim_matches(',') == engine.name();
        assert!(text.split_whitespace().any(word), "{} in {text}", engine.name());
    }
}

#[test]
fn the_exit_codes_are_in_the_help() {
    let help = lustral(&["check", "--help"]).expect(0).stdout;
    for code in ["0 all valid", "40 ", "30 ", "1 ", "2 ", "3 ", "130 and 143"] {
        assert!(help.contains(code), "{code}");
    }
}

//! Quantifiers whose bounds are seen are written out, and those whose bounds are hidden
//! (`q + 0 < 3`) are chosen or eliminated: the verdicts are the same.

use lustral_testing::Dice;

use crate::compositional::{run, verdict};
use crate::engines::Verdict;

/// What is done with a truth value: it is to be shown, it is assumed, or nobody knows.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Shown,
    Assumed,
    Unknown,
}

/// Compares the verdicts on a program with bounds to be seen and with hidden ones; says
/// whether the property fails.
pub fn check(seed: u64) -> bool {
    let mut dice = Dice::new(seed);
    let (assertion, depth) = (formula(&mut dice, Place::Assumed, 2, &[]), 2 + dice.below(2));
    let property = formula(&mut dice, Place::Shown, depth, &[]);
    let program = |text: &str| {
        format!(
            "node main(x: subrange [0, 2] of int; b: bool) returns (s: int);\nlet\n\
             s = x -> (if pre s > 3 then 0 else pre s + x);\n\
             assert {assertion};\ncheck \"p\" {property};\n--%MAIN;\ntel\n",
        )
        .replace('~', text)
    };
    let (seen, hidden) = (program(""), program(" + 0"));
    let said = [seen, hidden].map(|text| {
        let lines = run(&text, &[]).unwrap_or_else(|failure| panic!("{}\n{text}", failure.text));
        (verdict(&lines[&("main".to_string(), "p".to_string())]), text)
    });
    let [(one, _), (other, text)] = said;
    assert_eq!(format!("{one:?}"), format!("{other:?}"), "seed {seed}\n{text}");
    matches!(one, Verdict::Falsified(_))
}

fn formula(dice: &mut Dice, place: Place, depth: usize, variables: &[(usize, bool)]) -> String {
    if depth == 0 {
        return atom(dice, variables);
    }
    let below = depth - 1;
    let opposite = match place {
        Place::Shown => Place::Assumed,
        Place::Assumed => Place::Shown,
        Place::Unknown => Place::Unknown,
    };
    match dice.below(9) {
        0 => format!("(not {})", formula(dice, opposite, below, variables)),
        1 => {
            let left = formula(dice, opposite, below, variables);
            format!("({left} => {})", formula(dice, place, below, variables))
        }
        2 | 3 => {
            let op = dice.pick::<&str>(&["and", "or", "->"]).to_string();
            let left = formula(dice, place, below, variables);
            format!("({left} {op} {})", formula(dice, place, below, variables))
        }
        4 => {
            let left = formula(dice, Place::Unknown, below, variables);
            format!("({left} = {})", formula(dice, Place::Unknown, below, variables))
        }
        _ => {
            let all = dice.chance(50);
            let chosen = match place {
                Place::Shown => all,
                Place::Assumed => !all,
                Place::Unknown => false,
            };
            let place = if chosen { place } else { Place::Unknown };
            let number = variables.len();
            let variables = [variables, &[(number, chosen)]].concat();
            let (word, then) = if all { ("forall", "=>") } else { ("exists", "and") };
            let body = formula(dice, place, below, &variables);
            let inside = format!("0 <= q{number}~ and q{number}~ < 3");
            format!("({word} (q{number}: int) {inside} {then} {body})")
        }
    }
}

/// A comparison; only what is chosen may be multiplied.
fn atom(dice: &mut Dice, variables: &[(usize, bool)]) -> String {
    let chosen: Vec<usize> = variables.iter().filter(|v| v.1).map(|v| v.0).collect();
    let mut sum = format!("{}", dice.below(3));
    for (number, _) in variables {
        if dice.chance(70) {
            let sign = dice.pick::<&str>(&["+", "-"]);
            sum = format!("{sum} {sign} q{number}");
        }
    }
    if !chosen.is_empty() && dice.chance(40) {
        sum = format!("{sum} + q{} * s", dice.pick(&chosen));
    }
    let op = dice.pick::<&str>(&["<", "<=", "=", "<>", ">"]);
    let other = dice.pick::<&str>(&["s", "x", "2", "(0 -> pre s)"]);
    format!("({sum} {op} {other})")
}

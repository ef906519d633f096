//! Broken texts: programs with tokens or characters exchanged, put in or left
//! out, and plain nonsense (mutation-based fuzzing).

use lustral_syntax::lexer::tokenize;
use lustral_syntax::token::TokenKind;
use lustral_syntax::{Diagnostics, SourceMap};

use crate::dice::Dice;

/// Tokens that are put in where they do not belong.
const POOL: &str = "node function returns var let tel type const assert true false not and or xor \
    div mod pre fby if then else when bool int real ( ) [ ] { } ; : , . .. = <> < <= > >= => -> \
    + - * / # ^ | @ :: package model provides body needs uses P::x0 P::node0 check include enum subrange of floor merge condact activate restart every \
    current initial default automaton frame reachable forall imported struct int8 uint64 datatype match with end ? _ \
    --%MAIN --%PROPERTY --!PROPERTY --@contract (*@contract*) (* *) /* */ -- \" \"a\" 0 1 2.5 1e3 \
    1e999999999 99999999999999999999 x0 x1 y0 v0 v1 v2 v3 node0 node1 main C0 C1 E0_0 color0 small0";

/// Characters of which a text of nonsense is made.
const CHARACTERS: &str = "ab_0129.()[]{};:,=<>+-*/#^|@\"'%!\n\t \0\u{feff}é\u{1f600}~$&?\\`";

/// The tokens of a program with some exchanged, put in or left out.
pub fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("random.lus", text);
    let tokens = tokenize(file, text, &mut Diagnostics::new());
    let words = tokens.iter().filter(|t| t.kind != TokenKind::End);
    let mut words: Vec<&str> = words.map(|t| &text[t.span.range()]).collect();
    let pool: Vec<&str> = POOL.split_whitespace().collect();
    for _ in 0..dice.between(1, 5) {
        if words.is_empty() {
            break;
        }
        let at = dice.below(words.len());
        let other = dice.below(words.len());
        match dice.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, dice.pick::<&str>(&pool)),
            2 => words[at] = dice.pick::<&str>(&pool),
            3 => words.swap(at, other),
            4 => words[at] = words[other],
            // A part of the text a second time, or not at all.
            _ if dice.chance(50) => {
                let part = words[at.min(other)..at.max(other).min(at.min(other) + 20)].to_vec();
                words.splice(at..at, part);
            }
            _ => words.truncate(at),
        }
    }
    words.join(if dice.chance(50) { " " } else { "\n" })
}

/// A text with nonsense in it, or of nothing else.
pub fn nonsense(text: &str, dice: &mut Dice) -> String {
    let pool: Vec<char> = CHARACTERS.chars().collect();
    if dice.chance(30) {
        return (0..dice.below(120)).map(|_| *dice.pick(&pool)).collect();
    }
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..dice.between(1, 6) {
        let at = dice.below(characters.len());
        match dice.below(3) {
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, *dice.pick(&pool)),
            _ => characters[at] = *dice.pick(&pool),
        }
    }
    characters.into_iter().collect()
}

//! Random programs made of blocks and of calls and flows on clocks, for the literal reading of these.

use std::fmt::Write;

use lustral_testing::Dice;

/// What every program has.
const HEAD: &str = "\
type mode = enum { Slow, Fast, Off };
node count(b: bool) returns (n: int);
let n = (if b then 1 else 0) -> pre n + (if b then 1 else 0); tel
node toggle(b: bool) returns (n: int);
let
  automaton
  state Up do n = 1 -> pre n + 1; until b then Down
  state Down do n = 10 -> pre n + 10; until b continue Up
  end
tel
";

/// The flows that blocks define.
const FLOWS: [(&str, bool); 4] = [("x", false), ("y", false), ("p", true), ("q", true)];

pub fn program(seed: u64) -> String {
    let mut writer = Writer { dice: Dice::new(seed), locals: 0 };
    let mut out = String::from(HEAD);
    out += "node main(a: bool; b: bool; i: int; m: mode) returns (x: int; y: int; p: bool; q: bool);\nlet\n";
    let split = writer.dice.chance(50);
    let groups: Vec<Vec<usize>> =
        if split { vec![vec![0, 2], vec![1, 3]] } else { vec![vec![0, 1, 2, 3]] };
    for group in groups {
        let mut lasts = String::new();
        for flow in &group {
            let (name, truth) = FLOWS[*flow];
            let value = writer.literal(truth);
            let _ = writeln!(lasts, "last {name} = {value};");
        }
        let block = writer.block(&group, 3);
        if writer.dice.chance(25) {
            let every = writer.truth(&[], 1);
            let _ = writeln!(out, "reset\n{lasts}{block}every {every};");
        } else if writer.dice.chance(30) {
            let names: Vec<&str> = group.iter().map(|flow| FLOWS[*flow].0).collect();
            let initial = lasts.replace("last ", "");
            let _ = writeln!(out, "frame ({})\n{initial}let\n{block}tel;", names.join(", "));
        } else {
            out += &lasts;
            out += &block;
        }
    }
    out + "tel\n"
}

struct Writer {
    dice: Dice,
    locals: usize,
}

impl Writer {
    fn literal(&mut self, truth: bool) -> String {
        if truth { self.dice.chance(50).to_string() } else { self.dice.below(5).to_string() }
    }

    /// Equations of some flows, or a block of them; flows may be left out.
    fn block(&mut self, flows: &[usize], depth: usize) -> String {
        if depth == 0 {
            return self.equations(flows);
        }
        match self.dice.weighted(&[1, 5, 2, 2, 2, 1, 1, 1, 1, 1]) {
            0 => self.equations(flows),
            1 => self.automaton(flows, depth),
            2 => {
                let mut out = String::new();
                let mut word = "when";
                for _ in 0..1 + self.dice.below(2) {
                    let condition = self.truth(&[], 1);
                    let inside = self.block(flows, depth - 1);
                    let _ = write!(out, "{word} {condition} then\n{inside}");
                    word = "elsif";
                }
                if self.dice.chance(60) {
                    let inside = self.block(flows, depth - 1);
                    let _ = write!(out, "else\n{inside}");
                }
                out + "end\n"
            }
            3 => {
                let mut out = String::from("switch m\n");
                for value in ["Slow", "Fast", "Off"] {
                    let inside = self.part(flows, depth - 1);
                    let _ = write!(out, "| {value} {inside}");
                }
                out + "end;\n"
            }
            4 => {
                let inside = self.block(flows, depth - 1);
                let every = self.truth(&[], 1);
                format!("reset\n{inside}every {every};\n")
            }
            6 => self.branches(flows, depth, ["cond\n|", ":\n", "|", "otherwise:\n", "end;\n"]),
            7 => self.branches(flows, depth, ["present", "do\n", "|", "default do\n", "end;\n"]),
            8 => {
                let words = ["activate if", "then\n", "else if", "else\n", "returns ..;\n"];
                self.branches(flows, depth, words)
            }
            9 => {
                let mut out = String::from("activate when m match\n");
                for value in ["Slow", "Fast", "Off"] {
                    let inside = self.block(flows, depth - 1);
                    let _ = write!(out, "| {value}:\n{inside}");
                }
                out + "returns ..;\n"
            }
            _ => {
                let first = self.block(&flows[..1], depth - 1);
                let rest = if flows.len() > 1 {
                    self.block(&flows[1..], depth - 1)
                } else {
                    String::new()
                };
                first + &rest
            }
        }
    }

    /// Branches with conditions, in one of the ways to write them.
    fn branches(
        &mut self,
        flows: &[usize],
        depth: usize,
        [begin, then, more, otherwise, end]: [&str; 5],
    ) -> String {
        let mut out = String::new();
        let mut word = begin;
        for _ in 0..1 + self.dice.below(2) {
            let condition = self.truth(&[], 1);
            let inside = self.block(flows, depth - 1);
            let _ = write!(out, "{word} {condition} {then}{inside}");
            word = more;
        }
        if self.dice.chance(60) {
            let inside = self.block(flows, depth - 1);
            let _ = write!(out, "{otherwise}{inside}");
        }
        out + end
    }

    /// A number that is computed on slower clocks, or by a call that runs at times.
    fn timed(&mut self, known: &[usize], depth: usize) -> String {
        let node = ["count", "toggle"][self.dice.below(2)];
        let argument = self.truth(&[], depth);
        let (first, second) = (self.truth(&[], depth), self.truth(&[], depth));
        let value = self.literal(false);
        match self.dice.below(7) {
            0 => format!("condact({first}, {node}({argument}), {value})"),
            1 => format!("(activate {node} every {first} default {value})({argument})"),
            2 => format!("(restart {node} every {first})({argument})"),
            3 => format!(
                "(activate {node} every {first} initial default {value} restart every {second})\
                 ({argument})"
            ),
            4 => {
                let steps = 1 + self.dice.below(3);
                format!("fby({}; {steps}; {value})", self.number(known, depth))
            }
            5 => {
                let clock = ["a", "b"][self.dice.below(2)];
                let yes = self.sampled(known, depth, clock);
                let no = self.sampled(known, depth, &format!("not {clock}"));
                format!("(merge {clock} (true -> {yes}) (false -> {no}))")
            }
            _ => {
                let mut out = String::from("(merge m");
                for value in ["Slow", "Fast", "Off"] {
                    let branch = self.sampled(known, depth, &format!("{value}(m)"));
                    let _ = write!(out, " ({value} -> {branch})");
                }
                out + ")"
            }
        }
    }

    /// A number on a slower clock.
    fn sampled(&mut self, known: &[usize], depth: usize, when: &str) -> String {
        let value = format!("(({}) when {when})", self.number(known, depth));
        let first = self.literal(false);
        match self.dice.below(5) {
            0 => format!("({first} -> pre {value})"),
            1 => format!("({first} fby ({value} + 1))"),
            2 => format!("fby({value}; 2; {first})"),
            3 => format!("count({value} = {first})"),
            _ => value,
        }
    }

    /// `do … `, perhaps with a flow of its own that counts.
    fn part(&mut self, flows: &[usize], depth: usize) -> String {
        let inside = self.block(flows, depth);
        if self.dice.chance(40) {
            let name = format!("n{}", self.locals % 2);
            self.locals += 1;
            let number = self.dice.below(4);
            let step = self.number(&[], 1);
            let read = self.dice.chance(50) && !inside.contains("automaton");
            let times = usize::from(read);
            let inside = inside.replacen("= 3;", &format!("= 3 + {name};"), times);
            return format!(
                "var {name}: int; do\n{name} = {number} -> pre {name} + {step};\n{inside}"
            );
        }
        format!("do\n{inside}")
    }

    fn equations(&mut self, flows: &[usize]) -> String {
        let mut out = String::new();
        // Each part has an order of its own: what one defines by another, another may define the
        // other way round.
        let mut flows = flows.to_vec();
        self.dice.shuffle(&mut flows);
        for (i, flow) in flows.iter().enumerate() {
            let (name, truth) = FLOWS[*flow];
            if self.dice.chance(15) && i + 1 < flows.len() {
                continue;
            }
            let value = match truth {
                true => self.truth(&flows[..i], 2),
                false if self.dice.chance(15) => "3".into(),
                false => self.number(&flows[..i], 2),
            };
            let value = self.counts(name, truth).unwrap_or(value);
            let _ = writeln!(out, "{name} = {value};");
        }
        out
    }

    /// Something that depends on the steps of the part.
    fn counts(&mut self, name: &str, truth: bool) -> Option<String> {
        let first = self.literal(truth);
        match (self.dice.below(4), truth) {
            (0, false) => Some(format!("{first} -> pre {name} + 1")),
            (0, true) => Some(format!("{first} -> not pre {name}")),
            (1, false) => Some(format!("last {name} + 1")),
            (1, true) => Some(format!("not last {name}")),
            _ => None,
        }
    }

    fn automaton(&mut self, flows: &[usize], depth: usize) -> String {
        let count = 1 + self.dice.below(3);
        let mut out = String::from("automaton\n");
        if self.dice.chance(20) {
            let _ = writeln!(out, "initially S{}", self.dice.below(count));
        }
        for state in 0..count {
            let inside = self.part(flows, depth - 1);
            let _ = write!(out, "state S{state} {inside}");
            for _ in 0..self.dice.below(3) {
                let weak = self.dice.chance(60);
                let known = if weak { flows } else { &[] };
                let condition = self.truth(known, 2);
                let word = if weak { "until" } else { "unless" };
                let how = if self.dice.chance(50) { "then" } else { "continue" };
                let target = self.dice.below(count);
                let _ = writeln!(out, "{word} ({condition}) {how} S{target}");
            }
        }
        out + "end;\n"
    }

    fn number(&mut self, known: &[usize], depth: usize) -> String {
        let flow = known.iter().copied().find(|f| !FLOWS[*f].1);
        if depth == 0 {
            return match (self.dice.below(4), flow) {
                (0, Some(flow)) => FLOWS[flow].0.into(),
                (1, _) => "i".into(),
                (2, Some(flow)) => format!("last {}", FLOWS[flow].0),
                _ => self.literal(false),
            };
        }
        match self.dice.below(9) {
            8 => self.timed(known, depth - 1),
            6 => format!(
                "(when {} then {} else {})",
                self.truth(known, depth - 1),
                self.number(known, depth - 1),
                self.number(known, depth - 1)
            ),
            0 => format!("({} + {})", self.number(known, depth - 1), self.number(known, depth - 1)),
            1 => format!("({} -> pre ({}))", self.literal(false), self.number(known, depth - 1)),
            2 => format!("({} fby {})", self.literal(false), self.number(known, 0)),
            3 => format!("count({})", self.truth(&[], depth - 1)),
            4 => format!("toggle({})", self.truth(&[], depth - 1)),
            5 => format!(
                "(if {} then {} else {})",
                self.truth(known, depth - 1),
                self.number(known, depth - 1),
                self.number(known, depth - 1)
            ),
            _ => self.number(known, 0),
        }
    }

    fn truth(&mut self, known: &[usize], depth: usize) -> String {
        let flow = known.iter().copied().find(|f| FLOWS[*f].1);
        if depth == 0 {
            return match (self.dice.below(4), flow) {
                (0, Some(flow)) => FLOWS[flow].0.into(),
                (1, _) => "a".into(),
                (2, _) => "b".into(),
                _ => self.literal(true),
            };
        }
        match self.dice.below(8) {
            6 => {
                let op = ["and then", "or else", "==>"][self.dice.below(3)];
                let left = self.truth(known, depth - 1);
                format!("({left} {op} {})", self.truth(known, depth - 1))
            }
            0 => format!("({} and {})", self.truth(known, depth - 1), self.truth(known, depth - 1)),
            1 => format!("({} or {})", self.truth(known, depth - 1), self.truth(known, depth - 1)),
            2 => format!("({} -> pre ({}))", self.literal(true), self.truth(known, depth - 1)),
            3 => format!("(count({}) = {})", self.truth(&[], depth - 1), self.literal(false)),
            4 => format!("({} < {})", self.number(known, depth - 1), self.literal(false)),
            5 => format!("not {}", self.truth(known, 0)),
            _ => self.truth(known, 0),
        }
    }
}

//! `lustral diff`: two versions of a program compared.

use std::path::Path;
use std::time::{Duration, Instant};

use lustral_render::execution::{Execution, Most};
use lustral_render::{Style, printable};
use lustral_report::{Outcome, Verdict, event::NoteSeverity};
use lustral_session::{
    Change, Changed, Check, CheckOptions, Ending, Event, FileLoader, Incomparable, Kept, Pair,
    Product, Replayed, Request, Selection, Version, changes, product, replay,
};

use crate::cli::{DiffOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, stdout_style, terminal_width};
use crate::signals;

/// Runs the command.
pub fn run(options: &DiffOptions) -> Exit {
    signals::watch();
    let end = limit(options.search.timeout).and_then(|time| Instant::now().checked_add(time));
    let (output, style) = (Output::new(), stdout_style());
    let mut run = Run { options, output, style, exit: Exit::Valid, end };
    if let Some(missing) = options.search.solvers().find(|solver| !solver.is_there()) {
        eprint_line(&format!("error: {}", printable(&crate::check::missing_solver(missing))));
        return Exit::Failure;
    }
    if let Err(exit) = run.all() {
        run.worst(exit);
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    run.output.finish(run.exit)
}

struct Run<'o> {
    options: &'o DiffOptions,
    output: Output,
    style: Style,
    exit: Exit,
    /// When the time for all checks is up.
    end: Option<Instant>,
}

impl Run<'_> {
    fn worst(&mut self, exit: Exit) {
        self.exit = self.exit.min(exit);
    }

    fn channel(&self) -> Channel {
        if self.options.json { Channel::Json } else { Channel::People }
    }

    fn all(&mut self) -> Result<(), Exit> {
        let options = self.options;
        let [old_request, new_request] =
            [&options.old, &options.new].map(|file| options.reading.request(file));
        let channel = self.channel();
        let mut analyse = |file: &Path, request: &Request| {
            frontend::accept(file, request.analyse(&FileLoader), channel, &mut self.output)
        };
        let old_analysed = analyse(&options.old, &old_request)?;
        let new_analysed = analyse(&options.new, &new_request)?;
        let node = options.node.as_deref();
        let new_node = options.new_node.as_deref().or(node);
        let old = Version { request: &old_request, analysed: &old_analysed, node };
        let new = Version { request: &new_request, analysed: &new_analysed, node: new_node };
        let product =
            product(&old, &new, &FileLoader).map_err(|error| self.incomparable(&error))?;
        if let Some(path) = &options.product {
            std::fs::write(path, &product.text).map_err(|error| {
                let path = printable(&path.display().to_string()).to_string();
                eprint_line(&format!("error: cannot write {path}: {error}"));
                Exit::Failure
            })?;
        }
        self.outputs(&product, &old, &new);
        if signals::received().is_none() {
            let before = self.verdicts(&options.old, old_request.clone(), &product.old_node, 2);
            let after = self.verdicts(&options.new, new_request.clone(), &product.new_node, 1);
            self.properties(&changes(&before, &after));
        }
        Ok(())
    }

    fn incomparable(&mut self, error: &Incomparable) -> Exit {
        let message = match error {
            Incomparable::Several { .. } => format!("{error}; choose one with --node"),
            _ => error.to_string(),
        };
        if self.options.json {
            let name = self.options.new.display().to_string();
            let line = lustral_report::Event::note(&name, NoteSeverity::Error, &message);
            self.output.write(&line.line());
        }
        eprint_line(&format!("error: {}", printable(&message)));
        match error {
            Incomparable::Unreadable(_) => Exit::Failure,
            _ => Exit::Rejected,
        }
    }

    /// Hears of a program; its verdicts.
    fn hear(&mut self, file: &Path, check: Check) -> Vec<Verdict> {
        signals::stop_with(check.cancel());
        let mut verdicts = Vec::new();
        for event in check {
            match event {
                Event::Verdict(verdict) => verdicts.push(*verdict),
                Event::Remark { remark, .. } => {
                    self.worst(Exit::of(&remark));
                    frontend::remark(file, &remark, self.channel(), &mut self.output);
                }
                Event::Ended(Ending::Broken(_)) => self.worst(Exit::Failure),
                _ => {}
            }
        }
        verdicts
    }

    /// Options of a check that is given a part of the time that is left.
    fn check_options(&self, node: &str, selection: Selection, part: u32) -> CheckOptions {
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        let time: Option<Duration> = self.end.map(|end| left(end) / part);
        CheckOptions {
            selection: Selection { nodes: vec![node.to_string()], ..selection },
            search: self.options.search.options(),
            time,
            ..CheckOptions::default()
        }
    }

    /// The verdicts of a version.
    fn verdicts(&mut self, file: &Path, request: Request, node: &str, part: u32) -> Vec<Verdict> {
        let options = self.check_options(node, Selection::default(), part);
        self.hear(file, Check::new(request, options))
    }

    /// Whether the outputs agree.
    fn outputs(&mut self, product: &Product, old: &Version<'_>, new: &Version<'_>) {
        let selection = Selection { called_nodes: false, ..Selection::default() };
        let kept = Kept { certificates: self.options.certificate.clone(), ..Kept::default() };
        let options = CheckOptions { kept, ..self.check_options(&product.node, selection, 2) };
        let verdicts = self.hear(Path::new("product.lus"), Check::new(product.request(), options));
        if !self.options.json {
            let (a, b) = (self.options.old.display(), self.options.new.display());
            let Product { old_node, new_node, .. } = product;
            let line = format!("{a}: node {old_node}, and {b}: node {new_node}");
            self.output.write(&format!("{}\n", printable(&line)));
        }
        for pair in &product.outputs {
            match verdicts.iter().find(|verdict| verdict.property == pair.name) {
                Some(verdict) => self.output_verdict(product, (old, new), pair, verdict),
                None => {
                    self.worst(Exit::Unknown);
                    self.say(pair, "unknown", "there is no verdict", None);
                }
            }
        }
    }

    fn output_verdict(
        &mut self,
        product: &Product,
        (old, new): (&Version<'_>, &Version<'_>),
        pair: &Pair,
        verdict: &Verdict,
    ) {
        let engine = verdict.run.engine.unwrap_or_default();
        match verdict.outcome() {
            Outcome::Valid { k, rests_on, .. } => {
                let granted = rests_on.as_ref().map_or(0, |rests| rests.statements.len());
                let granted = match granted {
                    0 => String::new(),
                    1 => ", by an assertion or assumption of the versions".into(),
                    n => format!(", by {n} assertions or assumptions of the versions"),
                };
                self.say(pair, "equivalent", &format!("k = {k}, {engine}{granted}"), None);
            }
            Outcome::Falsifiable { trace, .. } => {
                let step = first_difference(trace, pair);
                let replayed = match replay(product, old, new, trace) {
                    Replayed::Differ => "seen in runs of both versions",
                    Replayed::Open => "with values that the programs leave open",
                    Replayed::Otherwise(why) => {
                        let message = format!("the execution is none of the versions: {why}");
                        eprint_line(&format!("error: {}", printable(&message)));
                        self.worst(Exit::Failure);
                        return self.say(pair, "unknown", &message, None);
                    }
                };
                self.worst(Exit::Falsifiable);
                let why = format!("at step {step}, {engine}, {replayed}");
                self.say(pair, "different", &why, Some(trace));
            }
            Outcome::Unknown { reason, internal_error, .. } => {
                self.worst(if *internal_error { Exit::Failure } else { Exit::Unknown });
                self.say(pair, "unknown", reason, None);
            }
        }
    }

    /// Says what is known of an output.
    fn say(&mut self, pair: &Pair, word: &str, why: &str, trace: Option<&Execution>) {
        if self.options.json {
            let line = lustral_session::output_line(pair, word, why, trace);
            return self.output.write(&line);
        }
        let colour = match word {
            "equivalent" => Style::GREEN,
            "different" => Style::RED,
            _ => Style::YELLOW,
        };
        let name = self.style.paint(Style::BOLD, &printable(&pair.name));
        let word = self.style.paint(colour, &format!("{word:<11}"));
        self.output.write(&format!("{word} {name}  ({})\n", printable(why)));
        if let Some(trace) = trace {
            let Pair { name, new_flow, .. } = pair;
            let legend = format!("{name} is the old version's, {new_flow} the new one's");
            self.output.write(&format!("  {}\n", printable(&legend)));
            self.output.write(&trace.blocks(self.style, terminal_width(), Most::ANSWER));
        }
    }

    /// What became of the properties.
    fn properties(&mut self, changes: &[Changed]) {
        for Changed { property, change, old, new } in changes {
            match change {
                Change::Lost => self.worst(Exit::Falsifiable),
                Change::InDoubt => self.worst(Exit::Unknown),
                _ => {}
            }
            if self.options.json {
                let line = lustral_session::property_line(property, *change, *old, *new);
                self.output.write(&line);
                continue;
            }
            let how = match (old, new) {
                (Some(old), Some(new)) if old == new => (*new).to_string(),
                (Some(old), Some(new)) => format!("{old} before, {new} now"),
                (Some(old), None) => format!("{old} before"),
                (None, new) => format!("{} now", new.unwrap_or_default()),
            };
            let colour = match change {
                Change::Kept | Change::Gained => Style::GREEN,
                Change::Lost => Style::RED,
                _ => Style::YELLOW,
            };
            let word = self.style.paint(colour, &format!("{:<11}", change.word()));
            let name = self.style.paint(Style::BOLD, &printable(property));
            self.output.write(&format!("{word} {name}  ({how})\n"));
        }
    }
}

/// The first step at which an output differs.
fn first_difference(trace: &Execution, pair: &Pair) -> usize {
    let rows = |name: &str| {
        let rows = trace.instances.first().map(|root| &root.streams[..]).unwrap_or_default();
        let name = name.to_string();
        rows.iter().filter(move |row| {
            let rest = row.name.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    };
    let differ = |step: &usize| {
        rows(&pair.name).zip(rows(&pair.new_flow)).any(|(a, b)| a.values[*step] != b.values[*step])
    };
    (0..trace.steps).find(differ).unwrap_or(trace.steps.saturating_sub(1))
}

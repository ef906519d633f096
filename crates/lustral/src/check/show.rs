//! `check`: what is heard of programs, shown, and how the run ends.

use std::path::Path;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lustral_base::profile::Share;
use lustral_base::{Digest, Profile};
use lustral_render::{Style, printable};
use lustral_report::event::ProfileEvent;
use lustral_report::{
    Assurance, Event as Line, Input, Page, ProfileRow, ProtocolVerdict, Summary, Texts, Verdict,
    html, profile_text, summary_text, verdict_text,
};
use lustral_session::{Ending, Event, Heading, Invariants, Progress, Remark};
use lustral_syntax::SourceMap;

use super::report;
use crate::cli::{CheckOptions, Presentation};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, stderr_style, stdout_style, terminal_width};
use crate::signals;

/// What was shown so far.
pub(super) struct Show<'o> {
    options: &'o CheckOptions,
    /// Where the time goes, if that is asked for.
    profile: Option<Profile>,
    output: Output,
    style: Style,
    started: Instant,
    /// How far the engines are with a node, while nothing else is to be said.
    progress: Option<ProgressBar>,
    summary: Summary,
    /// For the web page.
    verdicts: Vec<Verdict>,
    /// What else was said, for the page too.
    said: Vec<Line>,
    /// The texts of the programs, for the page.
    texts: Texts,
    invariants: Invariants,
    /// The verdict about a protocol that was shown last.
    last_protocol: Option<ProtocolVerdict>,
    /// Those on protocols, for the page.
    protocols: Vec<ProtocolVerdict>,
    exit: Exit,
}

impl<'o> Show<'o> {
    pub(super) fn new(options: &'o CheckOptions, profile: Option<Profile>) -> Show<'o> {
        Show {
            options,
            profile,
            output: Output::new(),
            style: stdout_style(),
            started: Instant::now(),
            progress: None,
            summary: Summary::default(),
            verdicts: Vec::new(),
            said: Vec::new(),
            texts: Texts::new(),
            invariants: Invariants::default(),
            last_protocol: None,
            protocols: Vec::new(),
            exit: Exit::Valid,
        }
    }

    /// When the run began.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Whether something could not be written.
    pub(super) fn failed(&self) -> bool {
        self.output.failed()
    }

    pub(super) fn worst(&mut self, exit: Exit) {
        self.exit = self.exit.min(exit);
    }

    /// Writes a line, if lines are wanted.
    pub(super) fn line(&mut self, line: &Line) {
        if self.options.presentation.json {
            self.output.write(&line.line());
        }
    }

    /// Shows what was heard of a program.
    pub(super) fn event(&mut self, file: &Path, event: Event) {
        match &event {
            Event::Progress(progress) => return self.progress(*progress),
            Event::Node(_) | Event::Ended(_) => self.no_progress(),
            _ => {}
        }
        match self.progress.clone() {
            Some(progress) => progress.suspend(|| self.show(file, event)),
            None => self.show(file, event),
        }
    }

    fn show(&mut self, file: &Path, event: Event) {
        let speaks = !matches!(event, Event::Verdict(_));
        if speaks && self.options.presentation.has_page() {
            self.said.extend(event.lines());
        }
        match event {
            Event::Diagnostics(found) => {
                self.keep_texts(Some(&found.sources));
                frontend::show(&found.sources, &found.list, self.channel(), &mut self.output);
                if found.list.has_errors() {
                    self.worst(Exit::Rejected);
                }
            }
            Event::Node(heading) => self.heading(file, &heading),
            Event::Verdict(verdict) => self.verdict(*verdict),
            Event::Protocol(verdict) => self.protocol(*verdict),
            Event::Needs(_) | Event::Coverage(_) | Event::Mutants(_) => self.needs(&event),
            Event::Remark { remark, .. } => self.remark(file, &remark),
            Event::Invariants(found) => self.invariants.extend(found),
            Event::Ended(Ending::Rejected) => self.summary.rejected += 1,
            Event::Progress(_)
            | Event::Ended(_)
            // Of another command.
            | Event::Contract(_)
            | Event::Candidates(_)
            | Event::Guarantees(_)
            | Event::Models(_) => {}
        }
    }

    fn progress(&mut self, progress: Progress) {
        let Progress { depth, open } = progress;
        let new = || spinner(&self.options.presentation);
        let bar = self.progress.get_or_insert_with(new);
        bar.set_message(format!("depth {depth}, {open} open"));
        bar.tick();
    }

    fn no_progress(&mut self) {
        if let Some(bar) = self.progress.take() {
            bar.finish_and_clear();
        }
    }

    fn channel(&self) -> Channel {
        if self.options.presentation.json { Channel::Json } else { Channel::People }
    }

    fn heading(&mut self, file: &Path, heading: &Heading) {
        if self.options.presentation.json {
            return;
        }
        let (file, node) = (printable(&file.display().to_string()), printable(&heading.node));
        let every = if heading.every_call { ", at every call" } else { "" };
        self.output.write(&format!("{file}: node {node}{every}\n"));
    }

    fn remark(&mut self, file: &Path, remark: &Remark) {
        self.worst(Exit::of(remark));
        if let Remark::Unlisted { count, .. } = remark {
            self.summary.unknown += count.unwrap_or(1);
        }
        frontend::remark(file, remark, self.channel(), &mut self.output);
    }

    fn verdict(&mut self, verdict: Verdict) {
        self.summary.count(&verdict);
        self.worst(match verdict.is_as_wanted() {
            Some(true) => Exit::Valid,
            Some(false) => Exit::Falsifiable,
            None => Exit::Unknown,
        });
        let text = if self.options.presentation.json {
            Line::from(&verdict).line()
        } else {
            let all_rows = self.options.presentation.all_rows;
            verdict_text(&verdict, self.style, terminal_width(), all_rows)
        };
        self.output.write(&text);
        if self.options.presentation.has_page() {
            self.verdicts.push(verdict);
        }
    }

    fn protocol(&mut self, verdict: ProtocolVerdict) {
        self.summary.count_protocol(&verdict);
        self.worst(match verdict.is_as_wanted() {
            Some(true) => Exit::Valid,
            Some(false) => Exit::Falsifiable,
            None => Exit::Unknown,
        });
        let text = if self.options.presentation.json {
            Line::Protocol(Box::new(verdict.clone())).line()
        } else {
            verdict.text(self.style, self.last_protocol.as_ref())
        };
        self.output.write(&text);
        if self.options.presentation.html.is_some() {
            self.protocols.push(verdict.clone());
        }
        self.last_protocol = Some(verdict);
    }

    /// What properties need, what none needs, and what they notice.
    fn needs(&mut self, event: &Event) {
        let text = match event {
            _ if self.options.presentation.json => event.lines().iter().map(Line::line).collect(),
            Event::Needs(needs) => needs.text(self.style),
            Event::Coverage(covered) => covered.coverage.text(self.style),
            Event::Mutants(found) => found.text(self.style),
            _ => String::new(),
        };
        self.output.write(&text);
    }

    fn profile_rows(&self) -> Vec<ProfileRow> {
        let Some(profile) = &self.profile else { return Vec::new() };
        profile.add("stages", "all", self.started.elapsed());
        let row = |(who, what, share): (&str, &str, Share)| ProfileRow {
            who: who.to_string(),
            what: what.to_string(),
            count: share.count,
            seconds: share.total.as_secs_f64(),
            longest: share.longest.as_secs_f64(),
        };
        profile.shares().into_iter().map(row).collect()
    }

    /// Shows what there is to show in the end; the exit code.
    pub(super) fn finish(mut self) -> Exit {
        self.no_progress();
        let CheckOptions { presentation, search, kept, .. } = self.options;
        let seconds = self.started.elapsed().as_secs_f64();
        self.summary.seconds = (!search.deterministic).then_some(seconds);
        if presentation.json {
            self.output.write(&Line::Summary(self.summary).line());
        } else if !self.summary.is_without_verdicts() {
            self.output.write(&summary_text(&self.summary, self.style));
        }
        let rows = self.profile_rows();
        if self.profile.is_some() {
            if presentation.json {
                self.line(&Line::Profile(ProfileEvent { shares: rows.clone() }))
            } else {
                eprint_line(profile_text(&rows).trim_end())
            }
        }
        if let Some(path) = &presentation.html {
            self.write_file(path, &html(&self.page(&rows)));
        }
        if let Some(folder) = &presentation.report {
            self.write_report(folder);
        }
        if let Some(path) = &kept.invariants_out {
            self.write_file(path, &self.invariants.to_text());
        }
        if let Some(code) = signals::received() {
            signal_hook::low_level::exit(code);
        }
        self.output.finish(self.exit)
    }

    /// Keeps the texts of a program for the page.
    pub(super) fn keep_texts(&mut self, sources: Option<&SourceMap>) {
        let sources = sources.filter(|_| self.options.presentation.has_page());
        for (_, file) in sources.into_iter().flat_map(SourceMap::files) {
            self.texts.insert(file.name.clone(), file.text.to_string());
        }
    }

    fn page<'a>(&'a self, profile: &'a [ProfileRow]) -> Page<'a> {
        let (verdicts, said, texts) = (&self.verdicts[..], &self.said[..], Some(&self.texts));
        let protocols = &self.protocols;
        Page { verdicts, protocols, said, summary: self.summary, profile, texts, report: None }
    }

    /// Writes a report for a safety case: the same in every run that finds the same.
    fn write_report(&mut self, folder: &Path) {
        if let Err(error) = std::fs::create_dir_all(folder) {
            let folder = printable(&folder.display().to_string());
            eprint_line(&format!("error: cannot write to {folder}: {error}"));
            return self.worst(Exit::Failure);
        }
        let input = |(file, text): (&String, &String)| Input {
            file: file.clone(),
            sha256: Digest::of(text).to_string(),
        };
        let mut events: Vec<Line> = self.verdicts.iter().map(Line::from).collect();
        events.extend(self.said.iter().cloned());
        let report = Assurance::new(
            report::facts(self.options),
            self.texts.iter().map(input).collect(),
            &events,
            self.summary,
            &folder.display().to_string(),
        );
        let mut verdicts = self.verdicts.clone();
        for verdict in &mut verdicts {
            verdict.run.seconds = None;
            let named = verdict.run.certificate.as_deref().map(Path::new);
            let below = named.map(|path| path.strip_prefix(folder).unwrap_or(path));
            verdict.run.certificate = below.map(|path| path.display().to_string());
        }
        verdicts.sort_by_key(|v| (v.file.clone(), v.line, v.column, v.property.clone()));
        let summary = report.summary;
        let page = Page { verdicts: &verdicts, summary, report: Some(&report), ..self.page(&[]) };
        let (page, text) = (html(&page), report.text());
        self.write_file(&folder.join("index.html"), &page);
        self.write_file(&folder.join("report.json"), &text);
    }

    fn write_file(&mut self, path: &Path, text: &str) {
        if let Err(error) = std::fs::write(path, text) {
            let path = printable(&path.display().to_string());
            eprint_line(&format!("error: cannot write {path}: {error}"));
            self.worst(Exit::Failure);
        }
    }
}

/// Something that moves while nothing is heard, where people look at it.
fn spinner(presentation: &Presentation) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if presentation.json || stderr_style() == Style::Plain {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar
}

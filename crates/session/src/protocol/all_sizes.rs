//! What is shown for all sizes at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_certify::{ProtocolCertificate, write_protocol_folder};
use lustral_coordinator::{Certificates, Scope, Unwritten, within};
use lustral_first_order::Shown;
use lustral_quantified::{Invariant, Limits, Proved, Prover, houdini};
use lustral_report::ProtocolVerdict;
use lustral_smt::Solver;

use super::{CheckProtocol, Looking};
use crate::remark::Remark;

/// A question for all sizes takes no longer.
pub(super) const QUERY: Duration = Duration::from_secs(10);

/// The time for leaving facts out of a proof: the answer waits for it.
const FEWER: Duration = Duration::from_secs(1);

impl CheckProtocol {
    /// Sees what of the candidates is inductive for all sizes, and what follows from that. What was
    /// proved when the time is up is told.
    pub(super) fn all_sizes(&mut self, looking: &mut Looking, cancel: &Cancel, query: Duration) {
        let limits = Limits { query, cancel: cancel.clone() };
        let (protocol, open) = (looking.protocol.clone(), looking.open.clone());
        let mut candidates = looking.candidates.clone();
        let mut prover = std::mem::replace(&mut looking.prover, Prover::new(&self.solvers()));
        let (sender, receiver) = channel();
        let search = move || {
            let kept = houdini(&protocol, &mut candidates, &limits);
            tracing::info!(candidates = candidates.len(), kept = kept.len(), "for all sizes");
            let open: Vec<usize> = open.into_iter().collect();
            let stated: Vec<_> = open.iter().map(|p| &protocol.safety[*p].formula).collect();
            let until = Instant::now() + FEWER;
            let following = kept.invariant_for(&protocol, &stated, &limits, until);
            if let Some((following, invariant)) = following {
                for property in following.into_iter().map(|place| open[place]) {
                    let proof = prover.prove(&protocol, property, &invariant, &limits);
                    // What Houdini's solver needed may be too little for one that begins anew.
                    let wide = || Invariant::new(invariant.facts().to_vec());
                    let proof =
                        proof.or_else(|_| prover.prove(&protocol, property, &wide(), &limits));
                    match proof {
                        Ok(proved) => drop(sender.send(proved)),
                        Err(why) => tracing::info!(%why, "no proof for all sizes"),
                    }
                }
            }
            (candidates, prover, kept)
        };
        let found = measured("all sizes", || within(cancel, search));
        if let Ok((candidates, prover, kept)) = found {
            looking.kept = kept;
            looking.candidates = candidates;
            looking.prover = prover;
        }
        for proved in receiver.try_iter() {
            self.proved(looking, &proved);
        }
    }

    /// Tells what was proved.
    pub(super) fn proved(&mut self, looking: &mut Looking, proved: &Proved) {
        let property = proved.property();
        let mut run = self.run_info();
        run.certificate = self.written(looking, proved);
        let verdict = ProtocolVerdict::valid(self.subject(looking, property), proved, &run);
        looking.proved.insert(property);
        self.tell(looking, property, verdict);
    }

    /// Who shows what is to be shown for all sizes: the built-in solver, and the one that was
    /// asked for.
    pub(super) fn solvers(&self) -> Vec<Solver> {
        let mut solvers = vec![Solver::BuiltIn];
        if self.options.search.solver != Solver::BuiltIn {
            solvers.push(self.options.search.solver.clone());
        }
        solvers
    }

    /// Where the certificates of a protocol go, if they are wanted.
    fn certificates(&self, looking: &Looking) -> Option<Certificates> {
        let base = self.options.kept.certificates.clone()?;
        let files = looking.sources.files();
        let texts = files.map(|(_, file)| (file.name.clone(), file.text.clone())).collect();
        let file = PathBuf::from(self.work.log.file.to_string());
        Some(Certificates { base, file, texts })
    }

    /// Removes what earlier runs wrote: it may be of properties that do not hold any more.
    pub(super) fn discard_certificates(&mut self, looking: &Looking) {
        let Some(certificates) = self.certificates(looking) else { return };
        if let Err(not_removed) = certificates.discard(PROTOCOL, Scope::Node) {
            self.work.log.say(Remark::NotRemoved(Arc::new(not_removed)));
        }
    }

    /// Writes the certificate of a proof, if that is wanted.
    fn written(&mut self, looking: &Looking, proved: &Proved) -> Option<String> {
        let certificates = self.certificates(looking)?;
        let (protocol, number) = (&looking.protocol, proved.property());
        let name = &protocol.safety[number].name;
        let folder = certificates.of_property(PROTOCOL, number, name);
        let shown = |fact| Shown(&protocol.signature, fact).to_string();
        let certificate = ProtocolCertificate {
            property: name,
            solver: proved.solvers().join(", "),
            facts: proved.facts().iter().map(shown).collect(),
            transitions: protocol.transitions.iter().map(|t| t.name.clone()).collect(),
            scripts: proved
                .obligations()
                .iter()
                .map(|o| (&*o.name, &*o.file, &*o.script))
                .collect(),
        };
        let texts: Vec<(String, &[u8])> =
            certificates.texts.iter().map(|(name, text)| (name.clone(), text.as_bytes())).collect();
        match write_protocol_folder(&folder, &certificate, &texts) {
            Ok(()) => Some(folder.display().to_string()),
            Err(error) => {
                self.work.log.say(Unwritten(error.to_string()));
                None
            }
        }
    }
}

/// What stands for the node in the names of folders.
const PROTOCOL: &str = "protocol";

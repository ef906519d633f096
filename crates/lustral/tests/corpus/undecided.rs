//! What some engines and setups may leave undecided, and nothing else: one that gets decided
//! must leave its list.

/// Valid properties that induction alone does not prove: these may be unknown,
/// and all others must be decided. One that gets decided must leave its list.
/// All engines together decide everything. (BMC and simulation alone are not
/// meant to prove anything, learners what their templates do not say.)
pub const UNDECIDED: &[(&str, &str)] = &[
    ("automaton-history", "anew"),
    ("automaton-history", "goes_on"),
    ("counters-gray-and-integer-off", "first_round"),
    ("growth-three", "ok"),
    ("growth-two", "ok"),
    ("integer-not-real", "counter_gap"),
    ("operator-grouping", "arrow_loose"),
    ("reachable", "early"),
    ("trap-other-property", "even"),
];

/// Those that bounds do not decide either: how a count on a slow clock and another one
/// belong together.
pub const UNDECIDED_WITH_BOUNDS: &[(&str, &str)] = &[
    ("activate-hold", "counts"),
    ("automaton-heptagon", "else"),
    ("automaton-velus", "first"),
    ("block-switch", "each"),
    ("merge-of-clocks", "below"),
];

/// Those that are decided only once the system is prepared.
pub const UNDECIDED_UNPREPARED: &[(&str, &str)] = &[
    ("calls-always-run", "in_branch"),
    ("merge-bare-branches", "only here"),
    ("needs-invariant", "ok"),
];

/// Those that only states that differ decide, and without them nothing here does.
pub const UNDECIDED_UNCOMPRESSED: &[(&str, &str)] = &[
    ("automaton-claims", "counted"),
    ("automaton-nested", "level"),
    ("block-when", "inner"),
    ("block-when", "same"),
    ("block-when", "steps"),
    ("clock-enumeration", "counted"),
    ("data-type-match-steps", "counted"),
    ("data-type-match-steps", "kept"),
    ("lazy-steps", "before"),
    ("lazy-steps", "counted"),
    ("merge-first-values", "the first value"),
    ("needs-distinct-states", "ok"),
    ("subtype-of-imported-node", "kept"),
    ("trap-compression-only", "ok"),
    ("trap-folded-memory", "ok"),
    ("trap-other-property", "left"),
    ("trap-other-property", "ended"),
    ("trap-periods", "meet"),
    ("trap-termination-only", "ok"),
];

/// Properties that fail and that random executions do not refute: what they
/// depend on is beyond the machine's numbers, one number of many, an arbitrary quotient, a
/// function of which nothing is known, or a set or map.
pub const UNREFUTED: &[(&str, &str)] = &[
    ("abstract-types", "equal"),
    ("abstract-types", "three"),
    ("choose-by-function", "agree"),
    ("const-wide-literal", "below"),
    ("div-zero-arbitrary", "quotient_zero"),
    ("div-zero-arbitrary", "remainder_nonneg"),
    ("div-zero-arbitrary", "remainder_same"),
    ("div-zero-constants", "quotient_zero"),
    ("div-zero-constants", "remainder_seven"),
    ("function-imported", "injective"),
    ("function-imported", "known"),
    ("function-imported-assumption", "other"),
    ("function-imported-structures", "both"),
    ("function-imported-structures", "broken"),
    ("function-imported-structures", "g.positive"),
    ("function-library", "square"),
    ("function-of-input-remembered", "far"),
    ("function-outside", "any"),
    ("function-outside", "occurrences"),
    ("function-outside-in-part", "free"),
    ("lists-of-nothing", "known"),
    ("machine-int-sums", "next"),
    ("map-in-function", "held"),
    ("map-operators", "missing"),
    ("map-operators", "nothing"),
    ("map-operators", "removed"),
    ("real-div-zero", "cancels"),
    ("real-div-zero", "zero"),
    ("set-equality", "all_of_few"),
    ("set-equality", "different"),
    ("set-equality", "enumeration"),
    ("set-equality", "not_all"),
    ("set-limits", "missing"),
    ("set-limits", "positive"),
    ("set-limits", "second"),
    ("set-operators", "never"),
    ("subtype-of-ghost", "f.subtype(low)"),
    ("wide-counter", "short"),
];

/// Properties that IC3 decides or not within the depth limit, as its turns fall: a circle of states
/// that no few inequalities describe, and inputs below functions of which nothing is known, which it
/// cannot project away.
pub const UNSURE_BY_IC3: &[(&str, &str)] =
    &[("function-of-input-remembered", "far"), ("trap-periods", "meet")];

/// Valid properties that induction without compression proves only with the help of
/// another that was proved before, as the turns fall.
pub const UNSURE_UNCOMPRESSED: &[(&str, &str)] =
    &[("automaton-weak", "later"), ("record-nested", "total")];

"""Programs with a construct each, of which something is proved and something fails."""

WRITTEN = {
    "a data type behind a constant, with a structure inside": """
const N: int = 2;
datatype D = Vec (val: int^N) | Empty;
node eq<T>(x, y: T) returns (r: bool); let r = x = y; tel
node main(v: int^N) returns (ok: bool);
var x, y: D;
let x = Vec(v); y = Vec(v); ok = eq@<D>(x, y); check ok; check "empty" x = Empty; tel
""",
    "ghost flows and constants of a contract, of types that are said once or not at all": """
node two(x: int) returns (a, b: int); let a = x; b = x; tel
node main(x: int) returns (y: int);
(*@contract
  const most = 3;
  var a, b: int = two(x);
  guarantee a = b;
  guarantee y <= most + a;
*)
let y = x + 4; tel
""",
    "one statement at two places, and one place with two statements": """
contract up(x: int) returns (y: int);
let guarantee y > x; guarantee "ok" y > 0; tel
contract both(x: int) returns (y: int);
let import up(x) returns (y); guarantee "ok" y > 1; tel
node main(x: int) returns (y: int);
(*@contract import up(x) returns (y); import both(x) returns (y); *)
let y = if x > 0 then x + 1 else 1; check "ok" y > 0; tel
""",
    "an activation where a flow has a value of an enumeration": """
type mode = enum { A, B };
node id(x: int) returns (y: int); let y = x; tel
node main(m: mode; x: int) returns (y: int);
let
  y = merge m (A -> x when A(m)) (B -> (activate id every m = B)(x));
  check y = x;
  check "positive" y > 0;
tel
""",
    "a node that is made for a type, below one that is looked at for some values of a constant": """
const N: int;
node id<T>(x: T) returns (y: T); let y = x; check "same" y = x; tel
node main(x: int) returns (a: int^N; y: int);
let a[i] = x; y = id(x); check "first" y = x; check "less" y < 7; tel
""",
    "a constant of a node whose type says something of it": """
type small = subrange [0, 9] of int;
node main(x: int) returns (y: int);
const c: small;
let y = if x > 0 then c else 0; check y < 10; check "zero" y = 0; tel
""",
    "a type of an expression of which a value is left to the solver": """
type positive = subtype { x: int | x > 0 };
node main(x: int) returns (y: bool);
let y = not (exists (i: int) (i: positive) = x); check y or x = x; check "other" x > 0; tel
""",
    "a dialect in which `fby`, `not`, `when` and division are others": """
--%DIALECT lustrec
node sampler(x: int; c: bool clock) returns (y: int); let y = x when c; tel
node main(x: int; c: bool) returns (o, t: int);
let
  o = merge c (true -> sampler(x, c)) (false -> 0 when not c);
  t = 0 fby t + 1;
  check "sampled" not c => o = x;
  check "c" c => o = x && -7 / 2 = -3;
  check "counts" true -> t = pre t + 1;
tel
""",
    "nested comments, blocks and last values of Heptagon": """
--%DIALECT heptagon
type mode = Idle | Busy
(* a comment (* in another *) *)
node main(tick: bool) returns (m: mode; n: int)
var last c: int = 0;
let
  if tick then var t: int; in t = 1 fby (t + 1); c = t else c = last c end;
  n = c;
  if n = 0 then m = Idle else m = Busy end;
  check "modes" m = Idle & n = 0 or m = Busy & n > 0;
  check "low" n < 2
tel
""",
    "a reset that waits, for a call on a slower clock": """
node count() returns (n: int); let n = 1 -> pre n + 1; tel
node main(c, r: bool) returns (y: int);
var k: int when c;
let
  k = (restart count every r)();
  y = merge c (true -> k) (false -> 0);
  check "anew" true -> (c and pre (r and not c) => y = 1);
  check "two" y < 2;
tel
""",
    "a node with sampled inputs and outputs, and one whose output samples another": """
node sums(on: bool; x: int when on) returns (y: int when on; steps: int);
let y = x -> pre y + x; steps = 1 -> pre steps + 1; tel
node half(x: int) returns (there: bool; y: int when there);
let there = false -> not pre there; y = x when there; tel
node main(c: bool; x: subrange [1, 2] of int) returns (z, n, w: int);
var y: int when c; on: bool; v: int when on;
let
  y, n = sums(c, x when c);
  (on, v) = half(x);
  z = merge c (true -> y) (false -> 0 when not c);
  w = merge on (true -> v) (false -> 1 when not on);
  check "positive" c => n > 0 and z >= x;
  check "either" w = 1 or w = 2;
  check "small" z < 4;
tel
""",
    "iterators, with nodes that remember and with accumulators": """
node sum(acc, x: int) returns (next, old: int);
let old = 0 -> pre x; next = acc + old; tel
function larger(a, b: int) returns (m: int); let m = if a > b then a else b; tel
node main(a: int^3) returns (s, m: int; old: int^3);
let
  s, old = fillred<<sum, 3>>(0, a);
  m = red<<larger, 3>>(a[0], a);
  check "largest" m >= a[0] and m >= a[1] and m >= a[2];
  check "sum" true -> s = pre (a[0] + a[1] + a[2]);
  check "zero" s = 0;
  check "shifted" map<<+, 3>>(a, 1^3)[2] = a[2] + 1;
tel
""",
    "packages, a model of one, and names that are hidden": """
model Late
needs type t; const first: t;
provides node late(x: t) returns (y: t);
body
  node late(x: t) returns (y: t); let y = first -> pre x; tel
end
package Ints = Late(t = int, first = 3);
package Math
  const K: int = 3;
  type sign = enum { Neg, Other };
  package Deep
    function of_sign(x: int) returns (s: sign); let s = if x < 0 then Neg else Other; tel
  end;
  function hides(K: int) returns (y: int); let y = K + Math::K; tel
end;
open Math;
node main(x: int) returns (y: int);
let
  y = hides(x) + Ints::late(x);
  check "first" y = x + 6 -> y = x + 3 + pre x;
  check "sign" (Deep::of_sign(x) = Math::Neg) = (x < 0);
  check "six" y <> 7;
tel
""",
    "calls in types, also in those of what is chosen and of what is imported": """
function above(x: int) returns (y: bool); let y = x > 0; tel
type big = subtype { n: int | above(n - 3) };
contract up(x: int | above(x)) returns (y: int | above(y));
let guarantee "up" y > x; tel
node half(x: big) returns (y: int | above(y));
let y = (x: big) div 2; tel
node main(a: big) returns (c, d: int);
(*@contract import up(a) returns (d); *)
let
  c = half(a);
  d = a + 1;
  check "two" c >= 2;
  check "chosen" choose { v: big | v < 9 } <> 6;
tel
""",
    "a contract in lines, whose flow has the name of one of the body, before it is declared": """
--@ requires x > 0;
--@ ensures y > x;
node next(x: int) returns (y: int); let y = x + 1; tel
node main(x: int) returns (y: int);
con
  guarantee "more" l > x;
  guarantee "seven" m = 7;
  var m: int = l + 1;
  var l: int = x + 1;
noc
var l: int;
let l = next(if x > 0 then x else 1); y = l; check "low" y > 1; tel
""",
    "an automaton whose proof tells states apart": """
node counter() returns (n: int); let n = 1 -> pre n + 1; tel
node main(watch: bool) returns (n, steps: int);
var on: bool;
let
  last n = 0;
  automaton
  state Idle do on = false; until watch continue Watch
  state Watch do on = true; n = counter(); until not watch continue Idle
  end;
  steps = (0 -> pre steps) + (if on then 1 else 0);
  check "counted" n = steps;
  check "few" n < 2;
tel
""",
    "arrays put together, elements outside of them, and quantifiers over tuples": """
node turn(a: int^4) returns (b: int^4); let b = a[1 .. 3] | a[0 .. 0]; tel
node main(a: int^4; i: int) returns (b: int^4);
let
  b = turn(turn(turn(turn(a))));
  check "back" b = a;
  check "read" 0 <= i and i < 4 => b[i] = a[i];
  check "tuple" exists (e: [int, bool]) e = e;
  check "outside" b[i] = a[i];
tel
""",
    "SCADE: blocks, delays, and activations whose results are not held": """
type mode = enum { Half, Whole };
node count() returns (n: int); let n = 1 -> pre n + 1; tel
node main(clock c: bool; m: mode; x: int) returns (y: int last = 0; n: int);
let
  activate when m match
  | Half: var k: int; let k = 1 -> pre k + 1; y = k; tel
  | Whole: y = last 'y + 1;
  returns ..;
  n = (activate count every c default 7)();
  check "not held" c or n = 7;
  check "positive" y > 0;
  check "delay" fby(x; 2; 5) = (5 -> pre (5 -> pre x));
  check "two" y < 2;
tel
""",
}

# A text of these, with one thing in it changed for another: the property that was proved fails then.
EDITED = {
    "a dialect in which `fby`, `not`, `when` and division are others": ("c", "let y = x when c", "let y = x + 1 when c"),
    "nested comments, blocks and last values of Heptagon": ("modes", "t = 1 fby", "t = -1 fby"),
    "a reset that waits, for a call on a slower clock": ("anew", "every r)()", "every false)()"),
    "a node with sampled inputs and outputs, and one whose output samples another": ("positive", "pre y + x", "pre y - x"),
    "iterators, with nodes that remember and with accumulators": ("largest", "a > b then", "a < b then"),
    "packages, a model of one, and names that are hidden": ("first", "first = 3)", "first = 4)"),
    "calls in types, also in those of what is chosen and of what is imported": ("two", "above(n - 3)", "above(n - 1)"),
    "a contract in lines, whose flow has the name of one of the body, before it is declared": ("more", "var l: int = x + 1", "var l: int = x"),
    "an automaton whose proof tells states apart": ("counted", "until watch continue", "until watch then"),
    "arrays put together, elements outside of them, and quantifiers over tuples": ("back", "turn(turn(turn(turn(a))))", "turn(turn(turn(a)))"),
    "SCADE: blocks, delays, and activations whose results are not held": ("not held", "every c default 7", "every c initial default 7"),
}

//! Who has which turn, without threads.

use super::seats::{Seats, Status};
use super::*;

const MS: Duration = Duration::from_millis(1);

/// Lets whoever works do so for some time each, and says who it was.
fn turns(seats: &mut Seats, names: &[usize], count: usize, work: impl Fn(usize) -> u32) -> String {
    let mut order = String::new();
    for _ in 0..count {
        let Some(number) = names.iter().copied().find(|n| seats.is_working(*n)) else { break };
        order.push((b'a' + number as u8) as char);
        seats.clock += MS * work(number);
        let now = seats.clock;
        seats.pass(number, Status::Waiting, now);
    }
    order
}

#[test]
fn who_has_had_least_is_next() {
    let mut seats = Seats::new(1);
    let names = [0, 1].map(|_| seats.add(Duration::ZERO));
    assert_eq!(turns(&mut seats, &names, 6, |_| 1), "ababab");
    // What takes thrice as long has a third of the turns.
    assert_eq!(turns(&mut seats, &names, 9, |n| if n == 0 { 3 } else { 1 }), "abbbabbba");
}

#[test]
fn achievements_count() {
    let mut seats = Seats::new(1);
    let names = [0, 1].map(|_| seats.add(Duration::ZERO));
    seats.credit(1, Achievement::Finding);
    let order = turns(&mut seats, &names, 30, |_| 1);
    let share = order.matches('b').count();
    assert!((18..=21).contains(&share), "about two thirds: {order}");
    // It is forgotten.
    turns(&mut seats, &names, 10_000, |_| 1);
    let order = turns(&mut seats, &names, 30, |_| 1);
    assert!((14..=16).contains(&order.matches('b').count()), "{order}");
}

#[test]
fn late_comers_have_no_arrears() {
    let mut seats = Seats::new(1);
    let first = seats.add(Duration::ZERO);
    assert_eq!(turns(&mut seats, &[first], 3, |_| 10), "aaa");
    let late = seats.add(seats.clock);
    assert!(seats.is_working(first) && !seats.is_working(late));
    assert_eq!(turns(&mut seats, &[first, late], 4, |_| 10), "abab");
}

#[test]
fn nobody_waits_for_a_clock_that_stands_still() {
    let mut seats = Seats::new(1);
    let (a, b) = (seats.add(Duration::ZERO), seats.add(Duration::ZERO));
    seats.pass(a, Status::Resting(MS * 30), Duration::ZERO);
    assert!(seats.is_working(b));
    seats.pass(b, Status::Resting(MS * 20), Duration::ZERO);
    assert!(seats.is_working(b), "the first to end its rest");
    assert_eq!(seats.clock, MS * 20);
    seats.wake();
    seats.pass(b, Status::Gone, MS * 20);
    assert!(seats.is_working(a), "woken");
}

#[test]
fn a_counted_schedule_is_the_same_every_time() {
    let run = || {
        let (schedule, cancel) = (Schedule::counted(), Cancel::new());
        let log = Arc::new(Mutex::new(Vec::new()));
        schedule.by_turns(&cancel, || {
            let mut threads = Vec::new();
            for name in 0..4_u32 {
                let (seat, log) = (schedule.reserve(&cancel), log.clone());
                let body = move || {
                    for turn in 0..6 {
                        log.lock().unwrap().push((name, now()));
                        charge(MS * (1 + name));
                        match (name + turn) % 3 {
                            0 => rest(MS * 5, || unreachable!("the clock counts work")),
                            1 => changed(),
                            _ => {}
                        }
                        pause();
                    }
                };
                threads.push(std::thread::spawn(move || seat.sit(body)));
            }
            // The others have their turns now.
            while threads.iter().any(|thread| !thread.is_finished()) {
                rest(MS * 10, || unreachable!("the clock counts work"));
            }
        });
        std::mem::take(&mut *log.lock().unwrap())
    };
    let first = run();
    assert_eq!(first.len(), 24);
    for _ in 0..20 {
        assert_eq!(run(), first);
    }
}

#[test]
fn no_more_work_than_permits() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    let (schedule, cancel) = (Schedule::new(2), Cancel::new());
    let (working, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..6)
        .map(|_| {
            let (working, most, seat) = (working.clone(), most.clone(), schedule.reserve(&cancel));
            std::thread::spawn(move || {
                seat.sit(|| {
                    for _ in 0..5 {
                        most.fetch_max(working.fetch_add(1, SeqCst) + 1, SeqCst);
                        std::thread::sleep(MS);
                        working.fetch_sub(1, SeqCst);
                        pause();
                        let slept = MS;
                        rest(slept, || std::thread::sleep(slept));
                    }
                });
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(most.load(SeqCst), 2);
}

#[test]
fn work_stops_what_has_used_up_its_share() {
    let (schedule, all) = (Schedule::counted(), Cancel::new());
    schedule.by_turns(&all, || {
        let (short, long) = (child_for(&all, MS * 10), child_for(&all, MS * 30));
        charge(MS * 9);
        assert_eq!((short.cause(), long.cause()), (None, None));
        charge(MS);
        assert_eq!((short.cause(), long.cause()), (Some(crate::Cause::Deadline), None));
        // From now on, not from the beginning.
        let later = child_for(&all, MS * 15);
        charge(MS * 14);
        assert_eq!(later.cause(), None);
        charge(MS * 6);
        assert!(later.is_cancelled() && long.is_cancelled() && !all.is_cancelled());
    });
}

#[test]
fn where_time_counts_a_share_is_a_deadline() {
    let all = Cancel::new();
    let child = child_for(&all, MS);
    std::thread::sleep(MS * 5);
    assert_eq!(child.cause(), Some(crate::Cause::Deadline));
    assert_eq!(all.cause(), None);
}

/// Many short pieces of work are as long as one: the permit goes on.
#[test]
fn a_turn_of_many_short_queries_ends_too() {
    let schedule = Schedule::counted();
    let cancel = Cancel::new();
    let seats = ["a", "b"].map(|name| (name, schedule.reserve(&cancel)));
    let order = Arc::new(Mutex::new(String::new()));
    let threads = seats.map(|(name, seat)| {
        let order = order.clone();
        std::thread::spawn(move || {
            seat.sit(|| {
                for _ in 0..4 {
                    pause_after(MS * 2);
                    order.lock().unwrap().push_str(name);
                    charge(MS);
                }
            });
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*order.lock().unwrap(), "aabbaabb");
}

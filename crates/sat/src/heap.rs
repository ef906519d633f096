//! Variables by activity, the most active first.

/// A heap of variables.
#[derive(Default)]
pub(crate) struct Heap {
    heap: Vec<u32>,
    /// By variable: its place in the heap.
    place: Vec<Option<u32>>,
}

impl Heap {
    pub fn insert(&mut self, variable: u32, activity: &[f64]) {
        if self.place.len() <= variable as usize {
            self.place.resize(variable as usize + 1, None);
        }
        if self.place[variable as usize].is_none() {
            self.place[variable as usize] = Some(self.heap.len() as u32);
            self.heap.push(variable);
            self.up(self.heap.len() - 1, activity);
        }
    }

    pub fn pop(&mut self, activity: &[f64]) -> Option<u32> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[first as usize] = None;
        if first != last {
            self.heap[0] = last;
            self.place[last as usize] = Some(0);
            self.down(0, activity);
        }
        Some(first)
    }

    /// The activity of a variable has grown.
    pub fn grown(&mut self, variable: u32, activity: &[f64]) {
        if let Some(place) = self.place[variable as usize] {
            self.up(place as usize, activity);
        }
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        let this = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let other = self.heap[parent];
            if activity[other as usize] >= activity[this as usize] {
                break;
            }
            self.heap[at] = other;
            self.place[other as usize] = Some(at as u32);
            at = parent;
        }
        self.heap[at] = this;
        self.place[this as usize] = Some(at as u32);
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        let this = self.heap[at];
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= self.heap.len() {
                break;
            }
            let active = |place: usize| activity[self.heap[place] as usize];
            let child =
                if right < self.heap.len() && active(right) > active(left) { right } else { left };
            let other = self.heap[child];
            if activity[other as usize] <= activity[this as usize] {
                break;
            }
            self.heap[at] = other;
            self.place[other as usize] = Some(at as u32);
            at = child;
        }
        self.heap[at] = this;
        self.place[this as usize] = Some(at as u32);
    }
}

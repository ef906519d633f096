//! Executions as CSV and as JSON, for spreadsheets and scripts.

use serde_json::{Map, Value, json};

use super::Execution;

impl Execution {
    /// One line for each step, one column for each flow.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.rows().map(|(instance, row)| instance.full_name(row));
        // Writing to memory does not fail.
        let _ = writer.write_record(std::iter::once("step".to_string()).chain(names));
        for step in 0..self.steps {
            let cells = self.rows().map(|(_, row)| row.values[step].to_string());
            let _ = writer.write_record(std::iter::once(step.to_string()).chain(cells));
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The values of each flow by its name, with the name of the node.
    #[must_use]
    pub fn json(&self) -> String {
        let mut streams = Map::new();
        for (instance, row) in self.rows() {
            streams.insert(instance.full_name(row), json!(row.values));
        }
        let node = self.instances.first().map_or(Value::Null, |instance| json!(instance.node));
        format!("{}\n", json!({ "node": node, "streams": streams }))
    }
}

//! Things written as their text, for numbers that no format has room for:
//! `#[serde(with = "lustral_base::as_text")]`.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes the text of a thing.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: Display, S: Serializer>(thing: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(thing)
}

/// Reads a thing from its text.
///
/// # Errors
/// If there is no text or it is none of such a thing.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

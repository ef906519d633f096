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

/// The same for things that may be missing.
pub mod optional {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, de};

    /// Writes the text of a thing, if there is one.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<T: Display, S: Serializer>(
        thing: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match thing {
            Some(thing) => serializer.serialize_some(&thing.to_string()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a thing from its text, if there is one.
    ///
    /// # Errors
    /// If the text is none of such a thing.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}

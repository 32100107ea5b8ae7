//! Lists through one arena: what is linked, taken and reused.

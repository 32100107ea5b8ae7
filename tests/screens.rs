//! What a person sees: keys go in, a screen comes out, compared with the screen that a person read
//! and found right. The real engine decides, and the real reader looks at the records.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod screens {
    pub(crate) mod curtain;
    pub(crate) mod desk;
    pub(crate) mod faults;
    pub(crate) mod filtering;
    pub(crate) mod hunting;
    pub(crate) mod keys;
    pub(crate) mod marks;
    pub(crate) mod noise;
    pub(crate) mod sift;
    pub(crate) mod sizes;
    pub(crate) mod views;
    pub(crate) mod walkthrough;
    pub(crate) mod ways;
}

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hangtime_fuzz::on_large_stack(hangtime_fuzz::maps::run, bytes));

//! Tests of `src/server/reply.rs`.

use super::{BatchText, SHORT};

#[test]
fn answers_that_do_not_fit_into_their_batch_are_replaced() {
    let most = 100_000;
    let mut batch = BatchText { text: Vec::new(), left: 0, most };
    let (long, short) = ("x".repeat(most * 2 / 5), "short".to_string());
    for answer in [&long, &short, &long, &long, &short] {
        batch.add(answer.clone().into_bytes(), || b"error".to_vec());
    }
    assert!(batch.text.len() < most + 5 * SHORT, "{}", batch.text.len());
    let text = String::from_utf8(batch.text).expect("text");
    assert_eq!(text, format!("[{long},short,{long},error,short"));
}

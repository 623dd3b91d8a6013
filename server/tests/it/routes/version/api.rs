use installation::releases::{CheckError, Source, latest};

use super::stub::Stub;

#[tokio::test]
async fn every_wait_has_a_timeout() {
    let stub = Stub::start().await;
    let ask = async |path: &str| latest(&Source::Api(stub.at(path))).await;
    // Both for the first and for the last byte.
    let (silent, dripping) = tokio::join!(ask("/silent"), ask("/dripping"));
    assert_eq!(silent, Err(CheckError::TooSlow));
    assert_eq!(dripping, Err(CheckError::TooSlow));
}

#[tokio::test]
async fn a_few_redirects_are_followed() {
    let stub = Stub::start().await;
    let release = latest(&Source::Api(stub.at("/moved"))).await.unwrap();
    assert_eq!(release.tag.as_str(), "v99.10.0");
    let nowhere = latest(&Source::Api("http://127.0.0.1:1/".to_owned())).await;
    assert_eq!(nowhere, Err(CheckError::Unreachable));
}

#[tokio::test]
async fn an_invalid_link_is_left_out() {
    let stub = Stub::start().await;
    let release = latest(&Source::Api(stub.at("/script"))).await.unwrap();
    assert_eq!((release.tag.as_str(), release.url), ("v99.10.0", None));
}

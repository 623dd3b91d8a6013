use std::collections::HashSet;

use serde_json::{Value, json};

use super::Sale;
use crate::harness::{Client, times};

async fn bidders(sale: &Sale, count: usize) -> Vec<Client> {
    let mut bidders = Vec::new();
    for n in 0..count {
        bidders.push(sale.bidder(&format!("bidder{n}")).await);
    }
    bidders
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_64_equal_bids_is_accepted() {
    let mut sale = Sale::legacy(json!({})).await;
    let bidders = bidders(&sale, 64).await;
    for round in 0..times(10, 100) {
        sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        let bids = bidders.iter().map(|bidder| sale.bid(bidder, json!({"amount": 5})));
        let answers = futures::future::join_all(bids).await;
        let accepted = answers.iter().filter(|answer| answer.status == 201).count();
        let rejected = answers.iter().filter(|answer| answer.status == 422).count();
        assert_eq!((accepted, rejected), (1, 63), "round {round}");
        for refused in answers.iter().filter(|answer| answer.status == 422) {
            let refused = refused.expect_problem(422, "BID_REJECTED");
            assert_eq!(refused["details"]["violations"][0]["code"], "EQUAL_NOT_HIGHER");
        }
        let item = sale.owner.get(&sale.item_path()).await.expect(200);
        assert_eq!(item["bidCount"], 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bids_increase_without_gaps() {
    let sale = Sale::legacy(json!({})).await;
    let bidders = bidders(&sale, 8).await;
    let bids = (1..=96).map(|amount| sale.bid(&bidders[amount % 8], json!({"amount": amount})));
    let answers = futures::future::join_all(bids).await;
    let accepted: HashSet<String> =
        answers.iter().filter(|answer| answer.status == 201).map(|answer| answer.text.clone()).collect();

    let mut ledger = sale.bids().await;
    ledger.reverse();
    assert_eq!(ledger.len(), accepted.len());
    for (place, bid) in ledger.iter().enumerate() {
        assert_eq!(bid["sequence"], place + 1);
    }
    let amounts: Vec<u64> =
        ledger.iter().map(|bid| bid["normalizedAmount"].as_str().unwrap().parse().unwrap()).collect();
    assert!(amounts.is_sorted_by(|lower, higher| lower < higher), "{amounts:?}");
    let answered: HashSet<Value> = accepted.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!(answered, ledger.iter().cloned().collect(), "each answer is the stored bid");
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["bidCount"], ledger.len());
    assert_eq!(item["highestBid"]["normalizedAmount"], ledger.last().unwrap()["normalizedAmount"]);
}

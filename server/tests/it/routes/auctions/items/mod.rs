mod bids;

// The cost of a keystroke in a form: one call of `check` on the reference decision of rules-engine/benches, in Node.
// Takes the folder of the package (built for Node) and prints microseconds: the median of many rounds.

const { RuleSet } = require(process.argv[2]);

const ROUNDS = 201;
const FIELDS = 512;
// Measured in turns so short that they are rarely preempted.
const TURN = 64;

const rule = (id, position, type, params) => ({ id, currencyProfileId: "crowns", type, params, enabled: true, position });
const rules = new RuleSet(
  JSON.stringify({
    profile: {
      id: "crowns",
      inputMode: "DENOMINATION",
      rateToBase: "1.0825",
      precision: 0,
      fractionPolicy: "REJECT",
      denominations: [
        { code: "CROWN", factor: "100" },
        { code: "FLORIN", factor: "12.5" },
        { code: "GROAT", factor: "0.25" },
      ],
    },
    rules: [
      rule("increment", 0, "MIN_INCREMENT", { amount: "25" }),
      rule("share", 1, "MIN_COMPONENT_RATIO", { denomination: "CROWN", minRatio: "0.4" }),
      rule("required", 2, "REQUIRED_DENOMINATION", { denomination: "FLORIN", minCount: "2" }),
    ],
    item: { minBidNormalized: null, minIncrementNormalized: null },
    highest: "812.37",
  }),
);

// Half of the bids are accepted and half are refused; the same at every run.
let state = 1;
const below = (end) => {
  state = (state * 48271) % 2147483647;
  return state % end;
};
const remaining = { accepted: FIELDS / 2, refused: FIELDS / 2 };
const typed = [];
while (typed.length < FIELDS) {
  const entered = `${below(20)}\n${below(12)}\n${below(2000)}`;
  const kind = rules.check(entered) === 0 ? "accepted" : "refused";
  if (remaining[kind] > 0) {
    remaining[kind] -= 1;
    typed.push(entered);
  }
}
for (let at = typed.length - 1; at > 0; at -= 1) {
  const other = below(at + 1);
  [typed[at], typed[other]] = [typed[other], typed[at]];
}

let broken = 0;
const turn = (fields) => {
  const begun = process.hrtime.bigint();
  for (const entered of fields) broken += rules.check(entered) === 0 ? 0 : 1;
  return Number(process.hrtime.bigint() - begun) / 1000 / fields.length;
};
const times = [];
for (let round = 0; round < ROUNDS; round += 1) {
  for (let at = 0; at < FIELDS; at += TURN) times.push(turn(typed.slice(at, at + TURN)));
}
times.sort((a, b) => a - b);
if (broken !== (ROUNDS * FIELDS) / 2) throw new Error(`${broken} were refused`);
console.log(times[Math.floor(times.length / 2)]);

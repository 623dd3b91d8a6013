// Uses the types that openapi-typescript has made from the document, by openapi-fetch, as a program of an auction's owner
// would. Arguments: the address of a demo server, an e-mail and a password.

import createClient from 'openapi-fetch';

import { expect, isRenamed } from './checks.js';
import type { paths } from './schema.js';

const [address = '', email = '', password = ''] = process.argv.slice(2);

let cookie = '';

/** Keeps the cookies of a sign-in, which `fetch` of Node does not. */
async function withCookies(request: Request): Promise<Response> {
  if (cookie !== '') request.headers.set('cookie', cookie);
  const answer = await fetch(request);
  const set = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  if (set.length > 0) cookie = set.join('; ');
  return answer;
}

const client = createClient<paths>({ baseUrl: address, fetch: withCookies });

/** What an operation has answered; a refusal ends the program. */
function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  expect(data !== undefined, `refused: ${JSON.stringify(error)}`);
  return data;
}

const patch = { 'content-type': 'application/merge-patch+json' };
answered(await client.POST('/api/auth/login', { body: { email, password } }));
const me = answered(await client.GET('/api/user')).user.id;

const auctions = answered(await client.GET('/api/auctions')).auctions;
const own = auctions.find((one) => one.myRole === 'OWNER');
expect(own !== undefined, 'the demo has no auction of this user');
const ofAuction = { params: { path: { auction_id: own.id } } };
const before = answered(await client.GET('/api/auctions/{auction_id}', ofAuction));
const rename = (name: string) =>
  client.PATCH('/api/auctions/{auction_id}', { ...ofAuction, headers: patch, body: { name } });
isRenamed(before, answered(await rename('Renamed')));
answered(await rename(before.name));

const items = answered(await client.GET('/api/auctions/{auction_id}/items', ofAuction)).items;
const item = items.find((one) => one.status === 'OPEN' && one.seller?.id !== me);
expect(item !== undefined, 'the demo has no item for this user');
const ofItem = { params: { path: { auction_id: own.id, item_id: item.id } } };
const had = answered(await client.GET('/api/auctions/{auction_id}/items/{item_id}', ofItem));
const renameItem = (name: string) =>
  client.PATCH('/api/auctions/{auction_id}/items/{item_id}', { ...ofItem, headers: patch, body: { name } });
isRenamed(had, answered(await renameItem('Another name')));
answered(await renameItem(had.name));

const currencies = answered(await client.GET('/api/auctions/{auction_id}/currencies', ofAuction)).currencies;
const scalar = currencies.find((one) => one.inputMode === 'SCALAR');
expect(scalar !== undefined, 'the demo has no currency in which amounts are bid');
const body = { amount: '200000', currencyProfileId: scalar.id };
const bid = answered(await client.POST('/api/auctions/{auction_id}/items/{item_id}/bids', { ...ofItem, body }));
expect(bid.amount === 200000, `a bid of 200000 is one of ${bid.amount}`);

for (const { id } of items) {
  const path = { auction_id: own.id, item_id: id };
  const { images } = answered(
    await client.GET('/api/auctions/{auction_id}/items/{item_id}/images', { params: { path } }),
  );
  if (images[0] === undefined) continue;
  const picture = await client.GET('/api/auctions/{auction_id}/items/{item_id}/images/{image_id}/{size}', {
    params: { path: { ...path, image_id: images[0].id, size: 'thumbnail' } },
    parseAs: 'arrayBuffer',
  });
  const [first, second] = new Uint8Array(answered(picture) as ArrayBuffer);
  expect(first === 0xff && second === 0xd8, 'a picture is no JPEG');
  process.exit(0);
}
throw new Error('the demo has no picture');

// Uses the client that openapi-generator has made from the document for `fetch`, as a program of an auction's owner would.
// Arguments: the address of a demo server, an e-mail and a password.

import { expect, isRenamed } from './checks';
import {
  AccountsApi, AuctionsApi, BidsApi, Configuration, CurrenciesApi, ImagesApi, ItemsApi, type Middleware,
} from './generated';

const [address = '', email = '', password = ''] = process.argv.slice(2);

/** Keeps the cookies of a sign-in, which `fetch` of Node does not. */
let cookie = '';
const cookies: Middleware = {
  async pre({ url, init }) {
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    return { url, init: { ...init, headers } };
  },
  async post({ response }) {
    const set = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    if (set.length > 0) cookie = set.join('; ');
  },
};
const configuration = new Configuration({ basePath: address, middleware: [cookies] });
const accounts = new AccountsApi(configuration);
const auctions = new AuctionsApi(configuration);
const items = new ItemsApi(configuration);
const images = new ImagesApi(configuration);

async function main() {
  await accounts.login({ loginBody: { email, password } });
  const me = (await accounts.getUser()).user.id;

  const own = (await auctions.getAuctions()).auctions.find((one) => one.myRole === 'OWNER');
  expect(own !== undefined, 'the demo has no auction of this user');
  const auctionId = own.id;
  const before = await auctions.getAuction({ auctionId });
  const rename = (name: string) => auctions.patchAuction({ auctionId, auctionPatch: { name } });
  isRenamed(before, await rename('Renamed'));
  await rename(before.name);

  const listed = (await items.getItems({ auctionId })).items;
  const item = listed.find((one) => one.status === 'OPEN' && one.seller?.id !== me);
  expect(item !== undefined, 'the demo has no item for this user');
  const ofItem = { auctionId, itemId: item.id };
  const had = await items.getItem(ofItem);
  const renameItem = (name: string) => items.patchItem({ ...ofItem, auctionItemPatch: { name } });
  isRenamed(had, await renameItem('Another name'));
  await renameItem(had.name);

  const { currencies } = await new CurrenciesApi(configuration).getCurrencies({ auctionId });
  const scalar = currencies.find((one) => one.inputMode === 'SCALAR');
  expect(scalar !== undefined, 'the demo has no currency in which amounts are bid');
  const bidBody = { amount: '300000', currencyProfileId: scalar.id };
  const bid = await new BidsApi(configuration).postBid({ ...ofItem, bidBody });
  expect(bid.amount === 300000, `a bid of 300000 is one of ${bid.amount}`);

  for (const { id } of listed) {
    const [image] = (await images.getImages({ auctionId, itemId: id })).images;
    if (image === undefined) continue;
    const picture = await images.getImage({ auctionId, itemId: id, imageId: image.id, size: 'thumbnail' });
    const [first, second] = new Uint8Array(await picture.arrayBuffer());
    expect(first === 0xff && second === 0xd8, 'a picture is no JPEG');
    return;
  }
  throw new Error('the demo has no picture');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

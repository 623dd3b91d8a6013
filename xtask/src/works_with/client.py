# Uses the client that openapi-generator has made from the document, as a program of an auction's owner would. `CLIENT` is the
# folder of the client; the rest stands in common.py.

sys.path.insert(0, CLIENT)

import openapi_client
from openapi_client import AuctionItemPatch, AuctionPatch, BidBody, LoginBody


def changed(before, after):
    """Members that differ, but for those that any change moves."""
    before, after = before.to_dict(), after.to_dict()
    names = before.keys() | after.keys()
    return {name for name in names if before.get(name) != after.get(name)} - {"revision", "version", "updatedAt"}


def api(name):
    return getattr(openapi_client, name)(client)


client = openapi_client.ApiClient(openapi_client.Configuration(host=ADDRESS))
login = LoginBody(email="ada@example.org", password=PASSWORD)
# The `headers` of the answer have the last one of its cookies only.
answer = api("AccountsApi").login_without_preload_content(login)
expect(answer.status == 200, f"a sign-in was answered with {answer.status}")
client.default_headers["Cookie"] = "; ".join(one.split(";")[0] for one in answer.headers.getlist("Set-Cookie"))
me = api("AccountsApi").get_user().user.id

auctions, items = api("AuctionsApi"), api("ItemsApi")
own = [one for one in auctions.get_auctions().auctions if one.my_role == "OWNER"]
expect(own, "the demo has no auction of this user")
id = own[0].id
before = auctions.get_auction(id)
after = auctions.patch_auction(id, AuctionPatch(name="Renamed"))
expect(changed(before, after) == {"name"}, f"a rename changed {changed(before, after)}")
auctions.patch_auction(id, AuctionPatch(name=before.name))

listed = items.get_items(id).items
item = next(one for one in listed if one.status == "OPEN" and one.seller.id != me)
had = items.get_item(id, item.id)
has = items.patch_item(id, item.id, AuctionItemPatch(name="Another name"))
expect(changed(had, has) == {"name"}, f"a rename of an item changed {changed(had, has)}")
items.patch_item(id, item.id, AuctionItemPatch(name=had.name))

scalar = next(one for one in api("CurrenciesApi").get_currencies(id).currencies if one.input_mode == "SCALAR")
bid = BidBody.from_dict({"amount": "400000", "currencyProfileId": str(scalar.id)})
answer = api("BidsApi").post_bid(id, item.id, bid)
expect(answer.amount == 400000, f"a bid of 400000 is one of {answer.amount}")

images = api("ImagesApi")
found = ((one.id, image.id) for one in listed for image in images.get_images(id, one.id).images)
picture = images.get_image(id, *next(found), "thumbnail")
expect(bytes(picture)[:2] == b"\xff\xd8", "a picture is no JPEG")

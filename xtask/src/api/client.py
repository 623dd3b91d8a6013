"""Uses the client that openapi-python-client has made from the document, as a program of an auction's owner would.

Arguments: the folder with the package `client`, the address of a demo server, an e-mail and a password.
"""

import sys

folder, address, email, password = sys.argv[1:]
sys.path.insert(0, folder)

from client import Client  # noqa: E402
from client.api.accounts import get_user, login  # noqa: E402
from client.api.auctions import get_auction, get_auctions, patch_auction  # noqa: E402
from client.api.bids import post_bid  # noqa: E402
from client.api.currencies import get_currencies  # noqa: E402
from client.api.images import get_image, get_images  # noqa: E402
from client.api.items import get_item, get_items, patch_item  # noqa: E402
from client.models import AuctionItemPatch, AuctionPatch, BidBody, LoginBody, Problem  # noqa: E402


def expect(condition, message):
    if not condition:
        sys.exit(f"the generated client: {message}")


def listed(answer, members):
    """Lists that the server gives, each on one page."""
    expect(not isinstance(answer, Problem), answer)
    return getattr(answer, members)


def changed(before, after):
    """Members that differ, but for those that any change moves."""
    before, after = before.to_dict(), after.to_dict()
    names = before.keys() | after.keys()
    return {name for name in names if before.get(name) != after.get(name)} - {"revision", "version", "updatedAt"}


client = Client(base_url=address)
signed_in = login.sync(client=client, body=LoginBody(email=email, password=password))
expect(not isinstance(signed_in, Problem), signed_in)
me = get_user.sync(client=client).user.id

own = [one for one in listed(get_auctions.sync(client=client), "auctions") if one.my_role == "OWNER"]
expect(own, "the demo has no auction of this user")
before = get_auction.sync(own[0].id, client=client)
after = patch_auction.sync(before.id, client=client, body=AuctionPatch(name="Renamed"))
expect(after.name == "Renamed" and changed(before, after) == {"name"}, f"a rename changed {changed(before, after)}")
patch_auction.sync(before.id, client=client, body=AuctionPatch(name=before.name))

items = listed(get_items.sync(before.id, client=client), "items")
item = next(one for one in items if one.status == "OPEN" and one.seller.id != me)
had = get_item.sync(before.id, item.id, client=client)
renamed = patch_item.sync(before.id, item.id, client=client, body=AuctionItemPatch(name="Another name"))
expect(changed(had, renamed) == {"name"}, f"a rename of an item changed {changed(had, renamed)}")
patch_item.sync(before.id, item.id, client=client, body=AuctionItemPatch(name=had.name))

currencies = listed(get_currencies.sync(before.id, client=client), "currencies")
scalar = next((one for one in currencies if one.input_mode == "SCALAR"), None)
expect(scalar, "the demo has no currency in which amounts are bid")
answer = post_bid.sync(before.id, item.id, client=client, body=BidBody(amount="100000", currency_profile_id=scalar.id))
expect(not isinstance(answer, Problem), f"a bid was refused: {answer}")
expect(answer.amount == 100000, f"a bid of 100000 is one of {answer.amount}")

with_pictures = (one for one in items if listed(get_images.sync(before.id, one.id, client=client), "images"))
pictured = next(with_pictures, None)
expect(pictured, "the demo has no picture")
picture = listed(get_images.sync(before.id, pictured.id, client=client), "images")[0]
file = get_image.sync(before.id, pictured.id, picture.id, "thumbnail", client=client)
expect(file.payload.read(2) == b"\xff\xd8", "a picture is no JPEG")

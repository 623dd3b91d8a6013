// The address of a card fills in the form of the page `/go`, and leaves the address bar: it holds the secret
// of the card, or the PIN of an older one.

const card = location.hash.slice(1).split('.');
if (card.length === 3) {
  history.replaceState(null, '', location.pathname);
  ['code', 'number', 'pin'].forEach((name, at) => {
    const [field] = /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName(name));
    if (field) field.value = card[at] ?? '';
  });
}

// The address of a card fills in the form of the page `/go`, and leaves the address bar: it holds the secret
// of the card, or the PIN of an older one. Where nobody is signed in, the secret signs in at once: a person
// who scans a card has nothing to add to it.

const SECRET = /^[0-9A-Z]{16}$/i;

const card = location.hash.slice(1).split('.');
if (card.length === 3) {
  history.replaceState(null, '', location.pathname);
  const [, , secret] = ['code', 'number', 'pin'].map((name, at) => {
    const [field] = /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName(name));
    if (field) field.value = card[at] ?? '';
    return field;
  });
  const isAlone = !document.documentElement.dataset.viewer;
  if (secret && isAlone && SECRET.test(secret.value)) {
    secret.form?.querySelector('button')?.click();
  }
}

/**
 * The owner of an item in the browser's storage. Items of the `browser` stay. Items of the
 * `session` are removed when it ends, by sign-out or expiry; items of the `customer` at sign-out
 * only, so that an expired session loses no typed text. A `pending` item stays under its customer's
 * id until the account is deleted: a payment, so that the customer does not pay twice after signing
 * in again, or the places in titles that the server may not have yet.
 */
type Owner = 'browser' | 'session' | 'customer' | 'pending';

/** All keys of the shop; those that end with a dot are followed by an id. */
const keyOwners = {
  // Other pages of the product use these names for the session and the PDF reader.
  id_token: 'session',
  userid: 'session',
  emailid: 'session',
  secret: 'session',
  'pdfjs.preferences': 'session',
  'pdfjs.history': 'session',
  'colophon.look': 'session',
  'colophon.playback': 'session',
  'colophon.code': 'session',
  'colophon.plan-code.': 'session',
  'colophon.begunSignIn': 'session',
  'colophon.sending-cart.': 'session',
  'colophon.gift-draft.': 'session',
  'colophon.place.': 'session',
  'colophon.forms.': 'customer',
  'colophon.places.': 'pending',
  'colophon.begun-payments.': 'pending',
  'colophon.pending.': 'pending',
  'colophon.pending-cart.': 'pending',
  'colophon.pending-gift.': 'pending',
  // The cart and the wish list of a visitor; sign-in merges them into the account's.
  'colophon.cart': 'browser',
  'colophon.wishes': 'browser',
  'colophon.appearance': 'browser',
  'colophon.cookies': 'browser',
  'colophon.device': 'browser',
  'colophon.locale': 'browser',
  'colophon.probe': 'browser',
  // The trace of the visit, which contains no personal data.
  'colophon.trace': 'browser',
  'colophon.trace.': 'browser',
} as const satisfies Record<string, Owner>;

type ListedKey = keyof typeof keyOwners;

/** A listed key; any other is a type error. */
export type StorageKey = { [Key in ListedKey]: Key extends `${string}.` ? `${Key}${string}` : Key }[ListedKey];

export const storageKeys = Object.keys(keyOwners) as ListedKey[];

/** The owner of the item under this key; null for a key that is not the shop's. */
export const getOwner = (key: string): Owner | null => {
  const listedKey = storageKeys.find((each) => (each.endsWith('.') ? key.startsWith(each) : key === each));
  return listedKey === undefined ? null : keyOwners[listedKey];
};

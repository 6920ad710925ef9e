/**
 * The owner of an item in the browser's storage. Items of the `browser` stay. Those of the
 * `session` are removed when it ends, by a press or by time; those of the `customer` when the
 * customer signs out, so that nothing that was typed is lost to a session that has run out. A
 * `pending` item stays under its customer's id until the account is deleted: a payment, so that the
 * customer does not pay twice after signing in again, or the places in titles that the server may
 * not have yet.
 */
type Owner = 'browser' | 'session' | 'customer' | 'pending';

/** All keys of the shop; an id follows those that end with a dot. */
const owners = {
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
  // The cart and the wish list of a visitor; sign-in adds them to the account.
  'colophon.cart': 'browser',
  'colophon.wishes': 'browser',
  'colophon.appearance': 'browser',
  'colophon.cookies': 'browser',
  'colophon.device': 'browser',
  'colophon.locale': 'browser',
  'colophon.probe': 'browser',
  // The record of the visit, which holds no personal data.
  'colophon.trace': 'browser',
  'colophon.trace.': 'browser',
} as const satisfies Record<string, Owner>;

type Listed = keyof typeof owners;

/** A key that is listed; the compiler refuses any other. */
export type StorageKey = { [Key in Listed]: Key extends `${string}.` ? `${Key}${string}` : Key }[Listed];

export const listedKeys = Object.keys(owners) as Listed[];

/** Whose the item under this key is; null for a key that is not the shop's. */
export const ownerOf = (key: string): Owner | null => {
  const listed = listedKeys.find((each) => (each.endsWith('.') ? key.startsWith(each) : key === each));
  return listed === undefined ? null : owners[listed];
};

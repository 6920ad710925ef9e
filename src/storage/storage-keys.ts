/**
 * Whose an item of the browser's storage is. The `browser`'s stays for the next person who uses it. The `customer`'s goes when
 * the session ends. A `payment` on its way stays, under its customer's id, so that nobody pays twice after signing in again; it
 * goes with the account.
 */
type Owner = 'browser' | 'customer' | 'payment';

/** Every key under which the shop stores anything; one that ends with a dot is followed by an id. */
const owners = {
  // Other pages of the product use these names for the session, its secret and what the PDF reader remembers.
  id_token: 'customer',
  userid: 'customer',
  emailid: 'customer',
  secret: 'customer',
  'pdfjs.preferences': 'customer',
  'pdfjs.history': 'customer',
  'colophon.look': 'customer',
  'colophon.playback': 'customer',
  'colophon.code': 'customer',
  'colophon.begunSignIn': 'customer',
  'colophon.sending-cart.': 'customer',
  'colophon.gift-draft.': 'customer',
  'colophon.place.': 'customer',
  'colophon.pending.': 'payment',
  'colophon.pending-cart.': 'payment',
  'colophon.pending-gift.': 'payment',
  // A visitor's, which join the account of the customer who signs in.
  'colophon.cart': 'browser',
  'colophon.wishes': 'browser',
  'colophon.appearance': 'browser',
  'colophon.cookies': 'browser',
  'colophon.device': 'browser',
  'colophon.locale': 'browser',
  'colophon.probe': 'browser',
  // The record of the tab, which holds no personal data.
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

import type { StoreProperties } from '../../../machines/model/store/store.ts';

/** Where the button after a purchase leads: a place of the shop by its name, a path in it, or a page of the store's own. */
type AfterPurchase = { to: 'library' | 'viewer' | 'home' } | { to: 'path'; path: string } | { to: 'site'; url: string };

const places = ['library', 'viewer', 'home'] as const;

/** Here so that an address can be told from a path; no shop is there. */
const nowhere = 'https://nowhere.invalid';

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/** What the store wants to follow a purchase. Addresses of other hosts than the store's own, and whatever is none, lead to My Library. */
export const afterPurchase = (store: StoreProperties): AfterPurchase => {
  const wish = store.actionAfterPurchaseConfirmation.trim();
  const place = places.find((name) => name === wish.toLowerCase());
  if (place !== undefined) return { to: place };
  const url = URL.canParse(wish, nowhere) ? new URL(wish, nowhere) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { to: 'library' };
  if (url.origin === nowhere) {
    return wish.startsWith('/') ? { to: 'path', path: `${url.pathname}${url.search}` } : { to: 'library' };
  }
  const own = [store.storeUrl, store.storeUrlAlt].map(hostOf);
  return own.includes(url.host) ? { to: 'site', url: url.href } : { to: 'library' };
};

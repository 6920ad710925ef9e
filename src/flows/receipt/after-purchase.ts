import type { StoreProperties } from '../../../machines/model/store/store.ts';

/**
 * The target of the button after a purchase: a page of the shop by name, a path in it, or the
 * store's own page.
 */
type AfterPurchase = { to: 'library' | 'viewer' | 'home' } | { to: 'path'; path: string } | { to: 'site'; url: string };

const shopPlaces = ['library', 'viewer', 'home'] as const;

/** A base that distinguishes addresses from paths; `.invalid` never resolves (RFC 6761). */
const PLACEHOLDER_ORIGIN = 'https://nowhere.invalid';

const getHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/**
 * The store's target after a purchase. Invalid addresses and those of other hosts lead to My
 * Library.
 */
export const getAfterPurchase = (store: StoreProperties): AfterPurchase => {
  const wish = store.actionAfterPurchaseConfirmation.trim();
  const place = shopPlaces.find((name) => name === wish.toLowerCase());
  if (place !== undefined) return { to: place };
  const url = URL.canParse(wish, PLACEHOLDER_ORIGIN) ? new URL(wish, PLACEHOLDER_ORIGIN) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { to: 'library' };
  if (url.origin === PLACEHOLDER_ORIGIN) {
    return wish.startsWith('/') ? { to: 'path', path: `${url.pathname}${url.search}` } : { to: 'library' };
  }
  const own = [store.storeUrl, store.storeUrlAlt].map(getHost);
  return own.includes(url.host) ? { to: 'site', url: url.href } : { to: 'library' };
};

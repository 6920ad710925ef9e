import type { StoreProperties } from '../../../machines/model/store/store.ts';

/**
 * The target of the button after a purchase: a page of the shop by name, a path in it, or the
 * store's own page.
 */
type AfterPurchase = { to: 'library' | 'viewer' | 'home' } | { to: 'path'; path: string } | { to: 'site'; url: string };

const shopPages = ['library', 'viewer', 'home'] as const;

/**
 * The base URL that paths are resolved against, to distinguish them from absolute URLs; `.invalid`
 * never resolves (RFC 6761).
 */
const PLACEHOLDER_ORIGIN = 'https://nowhere.invalid';

const getHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/**
 * The target that the store has set for the button after a purchase. Without a valid target, or
 * with a URL of another host, the target is My Library.
 */
export const getAfterPurchase = (store: StoreProperties): AfterPurchase => {
  const target = store.actionAfterPurchaseConfirmation.trim();
  const page = shopPages.find((name) => name === target.toLowerCase());
  if (page !== undefined) return { to: page };
  const url = URL.canParse(target, PLACEHOLDER_ORIGIN) ? new URL(target, PLACEHOLDER_ORIGIN) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { to: 'library' };
  if (url.origin === PLACEHOLDER_ORIGIN) {
    return target.startsWith('/') ? { to: 'path', path: `${url.pathname}${url.search}` } : { to: 'library' };
  }
  const storeHosts = [store.storeUrl, store.storeUrlAlt].map(getHost);
  return storeHosts.includes(url.host) ? { to: 'site', url: url.href } : { to: 'library' };
};

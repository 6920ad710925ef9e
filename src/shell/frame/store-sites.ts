import type { StoreProperties } from '../../../machines/model/store/store.ts';

const shopifyName = /^[a-z0-9][a-z0-9-]*(?:\.myshopify\.com)?$/i;

/** The address of a Shopify shop, given as its name, its host or its address; null when it is none of them. */
const shopifyUrl = (shop: string): string | null => {
  if (shopifyName.test(shop)) return `https://${shop.replace(/\.myshopify\.com$/i, '').toLowerCase()}.myshopify.com/`;
  const url = URL.canParse(shop) ? new URL(shop) : null;
  return url?.protocol === 'https:' ? url.href : null;
};

const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** The store's own sites and its Shopify shop, each once and under its host's name. */
export const storeSites = ({ storeUrl, storeUrlAlt, shopifyShop }: StoreProperties): { url: string; text: string }[] => {
  const urls = [storeUrl, storeUrlAlt, shopifyUrl(shopifyShop.trim()) ?? ''].filter((url) => URL.canParse(url));
  return [...new Set(urls)].map((url) => ({ url, text: hostOf(url) }));
};

import type { StoreProperties } from '../../../machines/model/store/store.ts';

const SHOPIFY_NAME = /^[a-z0-9][a-z0-9-]*(?:\.myshopify\.com)?$/i;

/** The address of a Shopify shop, from its name, host or address; null for any other text. */
const toShopifyUrl = (shop: string): string | null => {
  if (SHOPIFY_NAME.test(shop)) return `https://${shop.replace(/\.myshopify\.com$/i, '').toLowerCase()}.myshopify.com/`;
  const url = URL.canParse(shop) ? new URL(shop) : null;
  return url?.protocol === 'https:' ? url.href : null;
};

const getHost = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** The store's own sites and its Shopify shop, each once and named by its host. */
export const getStoreSites = ({ storeUrl, storeUrlAlt, shopifyShop }: StoreProperties): { url: string; text: string }[] => {
  const urls = [storeUrl, storeUrlAlt, toShopifyUrl(shopifyShop.trim()) ?? ''].filter((url) => URL.canParse(url));
  return [...new Set(urls)].map((url) => ({ url, text: getHost(url) }));
};

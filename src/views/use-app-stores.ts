import type { AppStoreUrl } from '../../machines/model/store/store.ts';
import { useBrand } from '../brand/BrandProvider.tsx';

/** Searches in the app stores, for a store that names no app. */
const createStoreSearches = (storeName: string): AppStoreUrl[] => {
  const words = encodeURIComponent(storeName);
  return [
    { type: 'GooglePlay', url: `https://play.google.com/store/search?c=apps&q=${words}` },
    { type: 'Apple', url: `https://www.apple.com/us/search/${words}` },
  ];
};

/**
 * The URLs where the store's app can be downloaded; empty for a store that has declared that it has
 * no app.
 */
export const useAppStores = (): readonly AppStoreUrl[] => {
  const { store } = useBrand();
  return store.appStoreUrls ?? createStoreSearches(store.shelfName);
};

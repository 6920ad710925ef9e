import type { AppStoreUrl } from '../../machines/model/store/store.ts';
import { useBrand } from '../brand/BrandProvider.tsx';

/** Where the app of a store is looked for that says nothing of it. */
const searchesFor = (storeName: string): AppStoreUrl[] => {
  const words = encodeURIComponent(storeName);
  return [
    { type: 'GooglePlay', url: `https://play.google.com/store/search?c=apps&q=${words}` },
    { type: 'Apple', url: `https://www.apple.com/us/search/${words}` },
  ];
};

/** Where the store's app can be downloaded; none where it says that it has none. */
export const useAppStores = (): readonly AppStoreUrl[] => {
  const { store } = useBrand();
  return store.appStoreUrls ?? searchesFor(store.shelfName);
};

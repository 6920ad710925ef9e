import type { ReactElement } from 'react';
import type { AppStoreUrl } from '../../machines/model/store.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { OuterLink } from '../ui/TextLink.tsx';

/** Names of shops are the same in every language. */
const shops: Record<AppStoreUrl['type'], string> = { GooglePlay: 'Google Play', Apple: 'App Store' };

/** Links to the store's app in the app stores; nothing where it has none. */
export const AppLinks = (): ReactElement => {
  const { appStores } = useBrand();
  return (
    <>
      {appStores.map(({ type, url }) => (
        <OuterLink key={url} href={url} rel="noopener">
          {shops[type]}
        </OuterLink>
      ))}
    </>
  );
};

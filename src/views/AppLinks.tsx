import type { ReactElement } from 'react';
import type { AppStoreUrl } from '../../machines/model/store/store.ts';
import { OuterLink } from '../ui/TextLink.tsx';
import { useAppStores } from './use-app-stores.ts';

/** Names of app stores are the same in every language. */
const storeNames: Record<AppStoreUrl['type'], string> = { GooglePlay: 'Google Play', Apple: 'App Store' };

/** Links to the store's app in the app stores; renders nothing for a store without an app. */
export const AppLinks = (): ReactElement => (
  <>
    {useAppStores().map(({ type, url }) => (
      <OuterLink key={url} href={url} rel="noopener">
        {storeNames[type]}
      </OuterLink>
    ))}
  </>
);

import { chakra } from '@chakra-ui/react/styled-system';
import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { useApp } from '../app-actor.ts';
import { useFramed } from './frame-parts.ts';

/** Leads to the plans of a store that has some, until the customer has one. */
export const SubscribeLink = (): ReactElement | null => {
  const { store } = useBrand();
  const isSignedIn = useApp(({ signedIn }) => signedIn === true);
  const isOffered = useFramed((snapshot) => snapshot.matches({ subscription: 'offered' })) ?? !isSignedIn;
  if (!store.enableSubscription || !isOffered) return null;
  return (
    <ButtonLink href="/subscription" size="sm" flex="none" flexDirection="column" gap={0}>
      {store.subscribeButtonText || <Trans>Subscribe</Trans>}
      {store.subscribeButtonSubText === '' ? null : <chakra.small>{store.subscribeButtonSubText}</chakra.small>}
    </ButtonLink>
  );
};

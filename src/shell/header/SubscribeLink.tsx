import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useIsSignedIn } from '../../views/app-actor.ts';
import { useFrameSnapshot } from '../frame/use-frame.ts';

const Label = chakra('span', { base: { maxWidth: '12rem', lineClamp: 1 } });

/** Links to the plans of a store that has some, unless the customer is subscribed. */
export const SubscribeLink = (layout: Pick<ComponentProps<typeof ButtonLink>, 'display' | 'ml'>): ReactElement | null => {
  const { store } = useBrand();
  const isSignedIn = useIsSignedIn();
  const isSubscribed = useFrameSnapshot((snapshot) => snapshot.matches({ subscription: 'subscribed' })) ?? false;
  const isOffered = useFrameSnapshot((snapshot) => snapshot.matches({ subscription: 'offered' })) ?? !isSignedIn;
  // In the strip no element follows the link; in the bar its space is kept, so that nothing shifts.
  if (!store.enableSubscription || (isSubscribed && layout.ml !== undefined)) return null;
  return (
    <ButtonLink
      href="/subscription"
      size="sm"
      visibility={isOffered ? undefined : 'hidden'}
      data-visitors={isSignedIn ? undefined : ''}
      aria-busy={isOffered || isSubscribed ? undefined : true}
      flex="none"
      flexDirection="column"
      gap={0}
      {...layout}
    >
      <Label>{store.subscribeButtonText || <Trans>Subscribe</Trans>}</Label>
      {store.subscribeButtonSubText === '' ? null : <Label as="small">{store.subscribeButtonSubText}</Label>}
    </ButtonLink>
  );
};

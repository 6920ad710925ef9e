import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import { libraryPath } from '../../../machines/model/paths.ts';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { chakra } from '../../ui/chakra.ts';
import { getAfterPurchase } from './after-purchase.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { buttonRecipe } from '../../ui/button.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EventButton } from '../../ui/EventButton.tsx';

const OuterButton = chakra('a', buttonRecipe);

const placePaths = { library: libraryPath(), home: '/' } as const;

const defaultTexts: Record<'library' | 'home' | 'path' | 'site', ReactNode> = {
  library: <Trans>My Library</Trans>,
  home: <Trans>Back to the shop</Trans>,
  path: <Trans>Continue</Trans>,
  site: <Trans>Continue</Trans>,
};

/** The button for the step after a purchase, with the store's own text if it has one. */
export const AfterPurchaseButton = ({ actor }: { actor: ActorRefFrom<typeof receiptMachine> }): ReactElement => {
  const { store, readsHere } = useBrand();
  const next = getAfterPurchase(store);
  const text = store.actionAfterPurchaseConfirmationLinkText.trim();
  const look = { look: 'outline', size: 'lg' } as const;
  if (next.to === 'site') {
    return (
      <OuterButton href={next.url} {...look}>
        {text || defaultTexts.site}
      </OuterButton>
    );
  }
  if (next.to === 'viewer' && readsHere && text !== '') {
    return (
      <EventButton actor={actor} event={{ type: 'read.pressed' }} {...look}>
        {text}
      </EventButton>
    );
  }
  // The other button opens the title already.
  if (next.to === 'viewer') {
    return (
      <ButtonLink href={placePaths.library} {...look}>
        {defaultTexts.library}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink href={next.to === 'path' ? next.path : placePaths[next.to]} {...look}>
      {text || defaultTexts[next.to]}
    </ButtonLink>
  );
};

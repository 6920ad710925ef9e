import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import { libraryPath } from '../../../machines/model/paths.ts';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { chakra } from '../../ui/chakra.ts';
import { afterPurchase } from './after-purchase.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { buttonRecipe } from '../../ui/button.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EventButton } from '../../ui/EventButton.tsx';

const OuterButton = chakra('a', buttonRecipe);

const pathOf = { library: libraryPath(), home: '/' } as const;

const usualTexts: Record<'library' | 'home' | 'path' | 'site', ReactNode> = {
  library: <Trans>My Library</Trans>,
  home: <Trans>Back to the shop</Trans>,
  path: <Trans>Continue</Trans>,
  site: <Trans>Continue</Trans>,
};

/** The button that leads to what follows a purchase, with the store's own text if it has one. */
export const AfterPurchaseButton = ({ actor }: { actor: ActorRefFrom<typeof receiptMachine> }): ReactElement => {
  const { store, readsHere } = useBrand();
  const next = afterPurchase(store);
  const text = store.actionAfterPurchaseConfirmationLinkText.trim();
  const look = { look: 'outline', size: 'lg' } as const;
  if (next.to === 'site') {
    return (
      <OuterButton href={next.url} {...look}>
        {text || usualTexts.site}
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
  // To open the title is what the other button does already.
  if (next.to === 'viewer') {
    return (
      <ButtonLink href={pathOf.library} {...look}>
        {usualTexts.library}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink href={next.to === 'path' ? next.path : pathOf[next.to]} {...look}>
      {text || usualTexts[next.to]}
    </ButtonLink>
  );
};

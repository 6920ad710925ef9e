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

const pagePaths = { library: libraryPath(), home: '/' } as const;

const defaultTexts: Record<'library' | 'home' | 'path' | 'site', ReactNode> = {
  library: <Trans>My Library</Trans>,
  home: <Trans>Back to the shop</Trans>,
  path: <Trans>Continue</Trans>,
  site: <Trans>Continue</Trans>,
};

/** The button for the step after a purchase, with the store's own text if it has one. */
export const AfterPurchaseButton = ({ actor }: { actor: ActorRefFrom<typeof receiptMachine> }): ReactElement => {
  const { store, readsHere } = useBrand();
  const target = getAfterPurchase(store);
  const text = store.actionAfterPurchaseConfirmationLinkText.trim();
  const buttonProps = { look: 'outline', size: 'lg' } as const;
  if (target.to === 'site') {
    return (
      <OuterButton href={target.url} {...buttonProps}>
        {text || defaultTexts.site}
      </OuterButton>
    );
  }
  if (target.to === 'viewer' && readsHere && text !== '') {
    return (
      <EventButton actor={actor} event={{ type: 'read.pressed' }} {...buttonProps}>
        {text}
      </EventButton>
    );
  }
  // Another button of the receipt already opens the title, so this one leads to My Library.
  if (target.to === 'viewer') {
    return (
      <ButtonLink href={pagePaths.library} {...buttonProps}>
        {defaultTexts.library}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink href={target.to === 'path' ? target.path : pagePaths[target.to]} {...buttonProps}>
      {text || defaultTexts[target.to]}
    </ButtonLink>
  );
};

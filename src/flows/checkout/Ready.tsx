import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { isFree } from '../../../machines/model/price.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { countryNames, SummaryCard } from './SummaryCard.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import type { CheckoutProps } from './outcome-screens.tsx';

/** The summary, and the one button that starts a payment. */
export const Ready = ({ actor }: CheckoutProps): ReactElement | null => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  const { title, price, signedIn } = useSelector(actor, (state) => state.context);
  if (title === null) return null;
  const free = isFree(title);
  const countries = countryNames(store.purchaseCountries, i18n.locale);
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        {free ? <Trans>Get this title</Trans> : <Trans>Your purchase</Trans>}
      </chakra.h1>
      <SummaryCard title={title} price={price}>
        <chakra.div display="grid" gap={3}>
          <EventButton actor={actor} event={{ type: 'pay.pressed' }} size="lg" wide>
            {free ? <Trans>Get it for free</Trans> : <Trans>Continue to payment</Trans>}
          </EventButton>
          <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet" wide>
            <Trans>Cancel</Trans>
          </EventButton>
          <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
            {signedIn ? null : <Trans>You’ll be asked to sign in first.</Trans>}{' '}
            {free ? null : (
              <Trans>You’ll pay by card on our payment provider’s secure page. This shop never sees your card details.</Trans>
            )}
          </chakra.p>
          {countries === '' ? null : (
            <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
              <Trans>Available in: {countries}</Trans>
            </chakra.p>
          )}
        </chakra.div>
      </SummaryCard>
    </>
  );
};

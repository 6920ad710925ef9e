import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import { isFree } from '../../../machines/model/price.ts';
import { money } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { AvailableIn } from '../../views/late/AvailableIn.tsx';
import { useChosenCredits } from '../../views/late/credits-text.ts';
import { PaymentChoice, PaymentNote } from '../../views/late/PaymentChoice.tsx';
import { TaxLines } from '../../views/late/TaxLines.tsx';
import { TestModeNote } from '../../views/late/TestModeNote.tsx';
import { CodeEntry } from './CodeEntry.tsx';
import { SummaryCard } from './SummaryCard.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import type { CheckoutProps } from './outcome-screens.tsx';

/** The summary, and the one button that starts a payment. */
export const Ready = ({ actor }: CheckoutProps): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { context, children } = useSelector(actor, (state) => state);
  const inCredits = useChosenCredits(context);
  const { title, price, signedIn, cardId, withCredits, method, addsTax, tax } = context;
  const taxed = children['tax'] as ActorRefFrom<typeof taxMachine> | undefined;
  if (title === null) return null;
  const free = isFree(title);
  const paysByCard = cardId !== null && price !== null;
  const total = price === null || !tax ? price : { ...price, amount: tax.priceWithTax };
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        {free ? <Trans>Get this title</Trans> : <Trans>Your purchase</Trans>}
      </chakra.h1>
      <SummaryCard title={title} price={price} inCredits={inCredits}>
        <chakra.div display="grid" gap={3}>
          {free ? null : <CodeEntry actor={actor} />}
          {taxed === undefined || price === null || withCredits === true ? null : <TaxLines actor={taxed} price={price} />}
          {addsTax === true && !free && !signedIn ? (
            <chakra.p color="inkMuted">
              <Trans>Tax is added to this price. You’ll see it once you’ve signed in, before you pay.</Trans>
            </chakra.p>
          ) : null}
          {free ? null : <PaymentChoice actor={actor} />}
          {free ? null : <TestModeNote />}
          <EventButton actor={actor} event={{ type: 'pay.pressed' }} size="lg" wide>
            {free ? (
              <Trans>Get it for free</Trans>
            ) : inCredits !== null ? (
              t`Get it for ${inCredits}`
            ) : paysByCard && total !== null ? (
              <Trans>Pay {money(total, i18n.locale)}</Trans>
            ) : (
              <Trans>Continue to payment</Trans>
            )}
          </EventButton>
          <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet" wide>
            <Trans>Cancel</Trans>
          </EventButton>
          <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
            {signedIn ? null : <Trans>You’ll be asked to sign in first.</Trans>}{' '}
            {free ? null : <PaymentNote inCredits={inCredits} byCard={paysByCard} method={method} />}
          </chakra.p>
          <AvailableIn />
        </chakra.div>
      </SummaryCard>
    </>
  );
};

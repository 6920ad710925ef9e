import { cartGiftPath } from '../../../machines/model/paths.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import type { CartQuote } from '../../../machines/model/cart.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { money } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { AvailableIn } from '../../views/late/AvailableIn.tsx';
import { CartSummary } from '../../views/late/CartSummary.tsx';
import { CartCode } from '../../views/late/CartCode.tsx';
import { PaymentChoice, PaymentNote } from '../../views/late/PaymentChoice.tsx';
import { TaxLines } from '../../views/late/TaxLines.tsx';
import { TestModeNote } from '../../views/late/TestModeNote.tsx';
import type { CartCheckoutProps } from './outcome-screens.tsx';

/** What is in the cart and is not paid for now. */
const Left = ({ quote: { lines } }: { quote: CartQuote }): ReactElement | null => {
  const left = lines.filter(({ state }) => state !== 'payable' && state !== 'reward').length;
  const owned = lines.filter(({ state }) => state === 'owned').length;
  return left === 0 ? null : (
    <chakra.p fontSize="sm" color="inkMuted">
      {owned === 0 ? null : (
        <Plural
          value={owned}
          one="# title in your cart is already in your library: you won’t pay for it again."
          other="# titles in your cart are already in your library: you won’t pay for them again."
        />
      )}{' '}
      {left === owned ? null : <Trans>Your cart says why the rest isn’t part of this payment.</Trans>}
    </chakra.p>
  );
};

/** The titles, what they cost together, and the one button that starts the payment. */
export const Ready = ({ actor }: CartCheckoutProps): ReactElement | null => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  const { context, children } = useSelector(actor, (state) => state);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const { quote, cardId, method, addsTax, tax, fields, problem } = context;
  const taxed = children['tax'] as ActorRefFrom<typeof taxMachine> | undefined;
  if (quote === null || quote.total === null) return null;
  const total = money(tax ? { ...quote.total, amount: tax.priceWithTax } : quote.total, i18n.locale);
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        <Trans>Your purchase</Trans>
      </chakra.h1>
      <Sheet display="grid" gap={6}>
        <CartSummary quote={quote} hasTotal={addsTax !== true} />
        {taxed === undefined ? null : <TaxLines actor={taxed} price={quote.total} />}
        <Left quote={quote} />
        <CartCode actor={actor} isOff={quote.off !== undefined} fields={fields} problem={problem} busy={busy} />
        <chakra.div display="grid" gap={3}>
          <PaymentChoice actor={actor} />
          <TestModeNote />
          <EventButton actor={actor} event={{ type: 'pay.pressed' }} size="lg" wide>
            {cardId === null ? <Trans>Continue to payment</Trans> : <Trans>Pay {total}</Trans>}
          </EventButton>
          {store.enableGiftingTitle ? (
            <ButtonLink href={cartGiftPath} look="outline" wide>
              <Trans>Give as a gift</Trans>
            </ButtonLink>
          ) : null}
          <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet" wide>
            <Trans>Back to your cart</Trans>
          </EventButton>
          <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
            <PaymentNote byCard={cardId !== null} method={method} />
          </chakra.p>
          <AvailableIn />
        </chakra.div>
      </Sheet>
    </>
  );
};

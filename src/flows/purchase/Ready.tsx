import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isFreeTitle, type Context } from '../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import { cartGiftPath } from '../../../machines/model/purchase-paths.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { AvailableIn } from '../../views/lazy/AvailableIn.tsx';
import { useChosenCredits } from '../../views/lazy/credits-text.ts';
import { PaymentChoice } from '../../views/lazy/PaymentChoice.tsx';
import { TaxLines } from '../../views/lazy/TaxLines.tsx';
import { TestModeNote } from '../../views/lazy/TestModeNote.tsx';
import { PaymentNote, PayText } from '../../views/lazy/payment-texts.tsx';
import { Back } from './Back.tsx';
import { CodeEntry } from './CodeEntry.tsx';
import { GiftPreview } from './GiftPreview.tsx';
import { Goods } from './Goods.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';
import { SummaryCard } from './SummaryCard.tsx';

const Heading = ({ purchase }: { purchase: Context }): ReactElement => (
  <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
    {isGift(purchase) ? (
      <Trans>Your gift</Trans>
    ) : purchase.of === 'subscription' ? (
      <Trans>Your subscription</Trans>
    ) : isFreeTitle(purchase) ? (
      <Trans>Get this title</Trans>
    ) : (
      <Trans>Your purchase</Trans>
    )}
  </chakra.h1>
);

/** The button for giving the cart as a gift; then the one for editing a gift, or the link back. */
const PurchaseAlternatives = ({ actor, purchase }: PurchaseProps & { purchase: Context }): ReactElement => {
  const { store } = useBrand();
  return (
    <>
      {purchase.of === 'cart' && store.enableGiftingTitle ? (
        <ButtonLink href={cartGiftPath} look="outline" wide>
          <Trans>Give as a gift</Trans>
        </ButtonLink>
      ) : null}
      {isGift(purchase) ? (
        <EventButton actor={actor} event={{ type: 'change.pressed' }} look="quiet" wide>
          <Trans>Edit</Trans>
        </EventButton>
      ) : (
        <Back actor={actor} look="quiet" wide />
      )}
    </>
  );
};

/** The code, the tax, and the payment methods; then the one button that starts a payment. */
const Payment = ({ actor, purchase }: PurchaseProps & { purchase: Context }): ReactElement => {
  const taxActor = useSelector(actor, ({ children }) => children['tax'] as ActorRefFrom<typeof taxMachine> | undefined);
  const { of, price, signedIn, withCredits, addsTax } = purchase;
  const isFreePurchase = isFreeTitle(purchase);
  return (
    <chakra.div display="grid" gap={3}>
      <CodeEntry actor={actor} />
      {taxActor === undefined || price === null || withCredits ? null : <TaxLines actor={taxActor} price={price} />}
      {addsTax && !isFreePurchase && !signedIn ? (
        <chakra.p color="inkMuted">
          <Trans>Tax is added to this price. You’ll see it once you’ve signed in, before you pay.</Trans>
        </chakra.p>
      ) : null}
      {isFreePurchase ? null : <PaymentChoice actor={actor} />}
      {isFreePurchase ? null : <TestModeNote />}
      <EventButton actor={actor} event={{ type: 'pay.pressed' }} size="lg" wide>
        <PayText purchase={purchase} />
      </EventButton>
      <PurchaseAlternatives actor={actor} purchase={purchase} />
      <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
        {signedIn ? null : <Trans>You’ll be asked to sign in first.</Trans>}{' '}
        {isFreePurchase ? null : <PaymentNote purchase={purchase} />}
      </chakra.p>
      {isGift(purchase) ? (
        <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
          <Trans>Only the recipient can open it. Your own library won’t change.</Trans>
        </chakra.p>
      ) : null}
      {of === 'subscription' ? null : <AvailableIn />}
    </chakra.div>
  );
};

/**
 * The summary: the goods, their price, the payment methods, and the one button that starts the
 * payment.
 */
export const Ready = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  const inCredits = useChosenCredits(purchase);
  const { of, title, price } = purchase;
  const payment = <Payment actor={actor} purchase={purchase} />;
  return (
    <>
      <Heading purchase={purchase} />
      {of === 'title' && title !== null ? (
        <SummaryCard title={title} price={price} inCredits={inCredits}>
          {payment}
        </SummaryCard>
      ) : (
        <Sheet display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={6}>
          <Goods actor={actor} />
          {isGift(purchase) ? <GiftPreview actor={actor} /> : null}
          {payment}
        </Sheet>
      )}
      <span hidden ref={keepFocusInScreen} />
    </>
  );
};

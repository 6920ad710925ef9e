import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import { isFreeTitle } from '../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { useChosenCredits } from '../../views/lazy/credits-text.ts';
import { PaymentView } from '../../views/lazy/PaymentView.tsx';
import {
  PurchaseCancelled,
  PurchaseFailed,
  NotForSale,
  NotFound,
  NotOffered,
  AlreadyOwned,
  PaymentNotFound,
  PriceChanged,
  PurchaseSucceeded,
  Unavailable,
} from './outcome-screens.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';
import { Ready } from './Ready.tsx';
import { Steps, type Step } from './Steps.tsx';
import { SummaryCard } from './SummaryCard.tsx';
import { Writing } from './Writing.tsx';

const Quoting = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  return (
    <Loading>
      {isGift(purchase) ? (
        <Trans>Preparing your gift…</Trans>
      ) : purchase.of === 'subscription' ? (
        <Trans>Loading the subscription…</Trans>
      ) : (
        <Trans>Loading your purchase…</Trans>
      )}
    </Loading>
  );
};

const Paying = ({ actor }: PurchaseProps): ReactElement | null => {
  const payment = useSelector(actor, ({ children }) => children['payment'] as ActorRefFrom<typeof paymentMachine> | undefined);
  const purchase = usePurchase(actor);
  const inCredits = useChosenCredits(purchase);
  const { of, title, price, tax } = purchase;
  // Right after the customer's return from the gateway, the title is not known yet.
  return payment ? (
    <PaymentView actor={payment}>
      {of !== 'title' || title === null ? null : <SummaryCard title={title} price={price} tax={tax} inCredits={inCredits} />}
    </PaymentView>
  ) : null;
};

const screens: Screens<typeof purchaseMachine> = {
  arriving: Quoting,
  quoting: Quoting,
  quoted: Quoting,
  readingCards: Quoting,
  readingCredits: Quoting,
  offered: Quoting,
  writing: Writing,
  previewing: Writing,
  ready: Ready,
  applying: Ready,
  removing: Ready,
  paying: Paying,
  paid: PurchaseSucceeded,
  succeeded: PurchaseSucceeded,
  failed: PurchaseFailed,
  cancelled: PurchaseCancelled,
  priceChanged: PriceChanged,
  paymentNotFound: PaymentNotFound,
  owned: AlreadyOwned,
  notOffered: NotOffered,
  notForSale: NotForSale,
  notFound: NotFound,
  unavailable: Unavailable,
};

/**
 * The step of each state; absent for the summary, null once the purchase has ended without a
 * payment.
 */
const stepsByState: Partial<Record<StateValueFrom<typeof purchaseMachine>, Step | null>> = {
  writing: 'gift',
  previewing: 'gift',
  paying: 'payment',
  paid: 'payment',
  succeeded: 'done',
  failed: 'payment',
  cancelled: null,
  paymentNotFound: null,
  owned: null,
  notOffered: null,
  notForSale: null,
  notFound: null,
  unavailable: null,
};

/** A purchase, from its summary to the link to its receipt. */
export const PurchaseView = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  return (
    <FlowScreen flow="purchase" actor={actor} screens={screens}>
      {(screen, state) => {
        const { [state]: step = 'summary' } = stepsByState;
        return (
          <Page width="text">
            {step === null ? null : <Steps current={step} isFree={isFreeTitle(purchase)} isGift={isGift(purchase)} />}
            {screen}
          </Page>
        );
      }}
    </FlowScreen>
  );
};

import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import { costsNothing } from '../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { useChosenCredits } from '../../views/late/credits-text.ts';
import { PaymentView } from '../../views/late/PaymentView.tsx';
import {
  Cancelled,
  Failed,
  NotForSale,
  NotFound,
  NotOffered,
  Owned,
  PaymentNotFound,
  PriceChanged,
  Succeeded,
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
  // The title is not known yet on the way back from the gateway.
  return payment ? (
    <PaymentView actor={payment}>
      {of !== 'title' || title === null ? null : <SummaryCard title={title} price={price} tax={tax} inCredits={inCredits} />}
    </PaymentView>
  ) : null;
};

type Screen = { step: Step | null; Screen: (props: PurchaseProps) => ReactElement | null };

/**
 * The screen of each state of a purchase, and its step; null where the purchase has ended without a
 * payment.
 */
const purchaseScreens: Record<StateValueFrom<typeof purchaseMachine>, Screen> = {
  arriving: { step: 'summary', Screen: Quoting },
  quoting: { step: 'summary', Screen: Quoting },
  quoted: { step: 'summary', Screen: Quoting },
  readingCards: { step: 'summary', Screen: Quoting },
  readingCredits: { step: 'summary', Screen: Quoting },
  offered: { step: 'summary', Screen: Quoting },
  writing: { step: 'gift', Screen: Writing },
  previewing: { step: 'gift', Screen: Writing },
  ready: { step: 'summary', Screen: Ready },
  applying: { step: 'summary', Screen: Ready },
  removing: { step: 'summary', Screen: Ready },
  paying: { step: 'payment', Screen: Paying },
  paid: { step: 'payment', Screen: Succeeded },
  succeeded: { step: 'done', Screen: Succeeded },
  failed: { step: 'payment', Screen: Failed },
  cancelled: { step: null, Screen: Cancelled },
  priceChanged: { step: 'summary', Screen: PriceChanged },
  paymentNotFound: { step: null, Screen: PaymentNotFound },
  owned: { step: null, Screen: Owned },
  notOffered: { step: null, Screen: NotOffered },
  notForSale: { step: null, Screen: NotForSale },
  notFound: { step: null, Screen: NotFound },
  unavailable: { step: null, Screen: Unavailable },
};

/** Buying something, from what it costs to the way to its receipt. */
export const PurchaseView = ({ actor }: PurchaseProps): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const purchase = usePurchase(actor);
  const { step, Screen } = purchaseScreens[value];
  return (
    <chakra.div data-flow="purchase" data-state={JSON.stringify(value)}>
      <Page width="text">
        {step === null ? null : <Steps current={step} isFree={costsNothing(purchase)} isGift={isGift(purchase)} />}
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};

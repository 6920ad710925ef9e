import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { checkoutMachine } from '../../../machines/buying/checkout.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { Steps, type Step } from './Steps.tsx';
import { Trans } from '@lingui/react/macro';
import { isFree } from '../../../machines/model/price.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { Loading } from '../../ui/Loading.tsx';
import {
  type CheckoutProps,
  Cancelled,
  Failed,
  NotForSale,
  NotFound,
  Owned,
  PriceChanged,
  Unavailable,
} from './outcome-screens.tsx';
import { useChosenCredits } from '../../views/late/credits-text.ts';
import { PaymentView } from '../../views/late/PaymentView.tsx';
import { Ready } from './Ready.tsx';
import { SummaryCard } from './SummaryCard.tsx';

const Quoting = (): ReactElement => (
  <Loading>
    <Trans>Loading your purchase…</Trans>
  </Loading>
);

const Paying = ({ actor }: CheckoutProps): ReactElement | null => {
  const { children, context } = useSelector(actor, (state) => state);
  const payment = children['payment'] as ActorRefFrom<typeof paymentMachine> | undefined;
  const { title, price, tax } = context;
  const inCredits = useChosenCredits(context);
  // The title is not known yet on the way back from the gateway.
  return payment ? (
    <PaymentView actor={payment}>
      {title === null ? null : <SummaryCard title={title} price={price} tax={tax} inCredits={inCredits} />}
    </PaymentView>
  ) : null;
};

const Succeeded = (): ReactElement => (
  <Loading>
    <Trans>Thank you! Preparing your receipt…</Trans>
  </Loading>
);

type Screen = { step: Step | null; Screen: (props: CheckoutProps) => ReactElement | null };

/** What checkout shows in each of its states, and which step that is; null when the purchase leads nowhere. */
const checkoutScreens: Record<StateValueFrom<typeof checkoutMachine>, Screen> = {
  arriving: { step: 'summary', Screen: Quoting },
  quoting: { step: 'summary', Screen: Quoting },
  quoted: { step: 'summary', Screen: Quoting },
  readingCards: { step: 'summary', Screen: Quoting },
  readingCredits: { step: 'summary', Screen: Quoting },
  ready: { step: 'summary', Screen: Ready },
  applying: { step: 'summary', Screen: Ready },
  removing: { step: 'summary', Screen: Ready },
  paying: { step: 'payment', Screen: Paying },
  paid: { step: 'payment', Screen: Succeeded },
  succeeded: { step: 'done', Screen: Succeeded },
  failed: { step: 'payment', Screen: Failed },
  cancelled: { step: null, Screen: Cancelled },
  priceChanged: { step: 'summary', Screen: PriceChanged },
  owned: { step: null, Screen: Owned },
  notForSale: { step: null, Screen: NotForSale },
  notFound: { step: null, Screen: NotFound },
  unavailable: { step: null, Screen: Unavailable },
};

/** Buying one title, from its summary to the way to its receipt. */
export const CheckoutView = ({ actor }: { actor: ActorRefFrom<typeof checkoutMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const free = useSelector(actor, ({ context: { title } }) => title !== null && isFree(title));
  const { step, Screen } = checkoutScreens[value];
  return (
    <chakra.div data-flow="checkout" data-state={JSON.stringify(value)}>
      <Page width="text">
        {step === null ? null : <Steps current={step} isFree={free} />}
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};

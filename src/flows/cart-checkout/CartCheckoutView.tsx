import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { cartCheckoutMachine } from '../../../machines/buying/cart-checkout.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { Cancelled, Changed, Failed, NotFound, Nothing, Unavailable, type CartCheckoutProps } from './outcome-screens.tsx';
import { PaymentView } from '../../views/late/PaymentView.tsx';
import { Ready } from './Ready.tsx';

const Quoting = (): ReactElement => (
  <Loading>
    <Trans>Loading your purchase…</Trans>
  </Loading>
);

const Paying = ({ actor }: CartCheckoutProps): ReactElement | null => {
  const payment = useSelector(actor, ({ children }) => children['payment'] as ActorRefFrom<typeof paymentMachine> | undefined);
  return payment ? <PaymentView actor={payment} /> : null;
};

const Succeeded = (): ReactElement => (
  <Loading>
    <Trans>Thank you! Preparing your receipt…</Trans>
  </Loading>
);

/** What is shown in each state of paying for the cart. */
const screens: Record<StateValueFrom<typeof cartCheckoutMachine>, (props: CartCheckoutProps) => ReactElement | null> = {
  arriving: Quoting,
  quoting: Quoting,
  quoted: Quoting,
  readingCards: Quoting,
  ready: Ready,
  applying: Ready,
  removing: Ready,
  paying: Paying,
  paid: Succeeded,
  succeeded: Succeeded,
  failed: Failed,
  cancelled: Cancelled,
  changed: Changed,
  notFound: NotFound,
  empty: Nothing,
  unavailable: Unavailable,
};

/** Paying for the cart, from its summary to the way to its receipt. */
export const CartCheckoutView = ({ actor }: CartCheckoutProps): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <div data-flow="cartCheckout" data-state={JSON.stringify(value)}>
      <Page width="text">
        <Screen actor={actor} />
      </Page>
    </div>
  );
};

import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { giftMachine } from '../../../machines/buying/gift.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { PaymentView } from '../../views/late/PaymentView.tsx';
import { Checking } from './Checking.tsx';
import {
  Cancelled,
  Failed,
  NotFound,
  NotForSale,
  NotOffered,
  PriceChanged,
  Unavailable,
  type GiftProps,
} from './outcome-screens.tsx';
import { Writing } from './Writing.tsx';

const Quoting = (): ReactElement => (
  <Loading>
    <Trans>Preparing your gift…</Trans>
  </Loading>
);

const Paying = ({ actor }: GiftProps): ReactElement | null => {
  const payment = useSelector(actor, ({ children }) => children['payment'] as ActorRefFrom<typeof paymentMachine> | undefined);
  return payment ? <PaymentView actor={payment} /> : null;
};

const Succeeded = (): ReactElement => (
  <Loading>
    <Trans>Thank you! Preparing your receipt…</Trans>
  </Loading>
);

/** What is shown in each state of giving a title. */
const screens: Record<StateValueFrom<typeof giftMachine>, (props: GiftProps) => ReactElement | null> = {
  arriving: Quoting,
  quoting: Quoting,
  quoted: Quoting,
  readingCards: Quoting,
  readingCredits: Quoting,
  writing: Writing,
  previewing: Writing,
  checking: Checking,
  paying: Paying,
  paid: Succeeded,
  succeeded: Succeeded,
  failed: Failed,
  cancelled: Cancelled,
  priceChanged: PriceChanged,
  notOffered: NotOffered,
  notForSale: NotForSale,
  notFound: NotFound,
  unavailable: Unavailable,
};

/** Giving a title to somebody, from whom it is for to the way to its receipt. */
export const GiftView = ({ actor }: GiftProps): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <div data-flow="gift" data-state={JSON.stringify(value)}>
      <Page width="text">
        <Screen actor={actor} />
      </Page>
    </div>
  );
};

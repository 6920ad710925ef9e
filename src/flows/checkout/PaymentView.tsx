import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { Price, TitleSummary } from '../../../machines/model/title.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { chakra } from '../../ui/chakra.ts';
import { SummaryCard } from './SummaryCard.tsx';
import { Trans } from '@lingui/react/macro';
import { Spinner } from '../../ui/Loading.tsx';
import { Empty, Message } from '../../ui/Message.tsx';
import { EventButton } from '../../ui/EventButton.tsx';

type ScreenProps = { actor: ActorRefFrom<typeof paymentMachine> };

const Wait = ({ heading, children }: { heading: ReactNode; children: ReactNode }): ReactElement => (
  <Empty level={1} picture={<Spinner aria-hidden color="accentInk" fontSize="2xl" />} heading={heading}>
    {children}
  </Empty>
);

const Submitting = ({ actor }: ScreenProps): ReactElement => {
  const free = useSelector(actor, (state) => state.context.free);
  return free ? (
    <Wait heading={<Trans>Putting the title in your library…</Trans>}>
      <Trans>There is nothing to pay.</Trans>
    </Wait>
  ) : (
    <Wait heading={<Trans>Taking you to the payment page…</Trans>}>
      <Trans>Nothing is charged before you confirm there.</Trans>
    </Wait>
  );
};

const ActionRequired = ({ actor }: ScreenProps): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Finish your payment</Trans>}
    actions={
      <>
        <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
          <Trans>Continue to payment</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'status.pressed' }} look="outline">
          <Trans>I have paid: check</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
          <Trans>Cancel</Trans>
        </EventButton>
      </>
    }
  >
    <Trans>The payment page of our provider is waiting for you. Nothing has been charged yet.</Trans>
  </Message>
);

const Confirming = (): ReactElement => (
  <Wait heading={<Trans>Confirming your payment…</Trans>}>
    <Trans>This takes a few seconds. You will not be charged twice, even if you close this page.</Trans>
  </Wait>
);

const Unknown = ({ actor }: ScreenProps): ReactElement => (
  <Empty
    level={1}
    heading={<Trans>We do not know yet whether your payment went through</Trans>}
    actions={
      <EventButton actor={actor} event={{ type: 'status.pressed' }}>
        <Trans>Check now</Trans>
      </EventButton>
    }
  >
    <Trans>You will not be charged twice. We keep asking by ourselves; you may also close this page and come back later.</Trans>
  </Empty>
);

const Reconciling = (): ReactElement => (
  <Wait heading={<Trans>Looking up your payment…</Trans>}>
    <Trans>We are asking where it stands. Nothing is charged by asking.</Trans>
  </Wait>
);

const Settled = (): ReactElement => (
  <Wait heading={<Trans>One moment…</Trans>}>
    <Trans>Your payment has an answer.</Trans>
  </Wait>
);

/** What is shown of a payment in each of its states; checkout continues by itself after the settled ones. */
const paymentScreens: Record<StateValueFrom<typeof paymentMachine>, (props: ScreenProps) => ReactElement> = {
  arriving: Reconciling,
  submitting: Submitting,
  actionRequired: ActionRequired,
  cancelling: Reconciling,
  cancelDecided: Reconciling,
  confirming: Confirming,
  unknown: Unknown,
  reconciling: Reconciling,
  reconciled: Reconciling,
  succeeded: Settled,
  failed: Settled,
  cancelled: Settled,
  priceChanged: Settled,
  owned: Settled,
  none: Settled,
  notFound: Settled,
};

type Props = { actor: ActorRefFrom<typeof paymentMachine>; title: TitleSummary | null; price: Price | null };

/** Paying: what happens to the money now, above what it is for. The title is not known yet on the way back from the gateway. */
export const PaymentView = ({ actor, title, price }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = paymentScreens[value];
  return (
    <chakra.div data-flow="payment" data-state={JSON.stringify(value)} display="grid" gap={6}>
      <Screen actor={actor} />
      {title === null ? null : <SummaryCard title={title} price={price} />}
    </chakra.div>
  );
};

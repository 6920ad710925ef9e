import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { chakra } from '../../ui/chakra.ts';
import { Trans } from '@lingui/react/macro';
import { Empty, Failed, UnknownOutcome } from '../../ui/Message.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { FlowScreen, type Screens } from '../FlowScreen.tsx';
import { PaymentStarting, Charging, PaymentWait } from './payment-texts.tsx';

type ScreenProps = { actor: ActorRefFrom<typeof paymentMachine> };

const Submitting = ({ actor }: ScreenProps): ReactElement => (
  <PaymentStarting order={useSelector(actor, (state) => state.context)} />
);

const Unreachable = ({ actor }: ScreenProps): ReactElement => (
  <Failed
    level={1}
    heading={<Trans>The shop can’t be reached</Trans>}
    actions={
      <>
        <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
          <Trans>Try again</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
          <Trans>Cancel</Trans>
        </EventButton>
      </>
    }
  >
    <Trans>You haven’t been charged.</Trans>
  </Failed>
);

/** Whether the last check has found that the payment is still due. */
const isStillUnpaid = ({ context }: SnapshotFrom<typeof paymentMachine>): boolean => context.status === 'pending';

const ActionRequired = ({ actor }: ScreenProps): ReactElement => (
  <Empty
    level={1}
    heading={<Trans>Complete your payment</Trans>}
    actions={
      <>
        <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
          <Trans>Continue to payment</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'status.pressed' }} look="outline">
          <Trans>I’ve already paid</Trans>
        </EventButton>
        <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="quiet">
          <Trans>Cancel</Trans>
        </EventButton>
      </>
    }
  >
    {useSelector(actor, isStillUnpaid) ? (
      <Trans>We’ve checked: your payment hasn’t arrived yet, and you haven’t been charged. The payment page is still open.</Trans>
    ) : (
      <Trans>Continue to our payment provider’s page to pay. You haven’t been charged yet.</Trans>
    )}
  </Empty>
);

const Confirming = (): ReactElement => (
  <PaymentWait heading={<Trans>Confirming your payment…</Trans>}>
    <Trans>This takes a few seconds. You won’t be charged twice, even if you close this page.</Trans>
  </PaymentWait>
);

const Unknown = ({ actor }: ScreenProps): ReactElement => (
  <UnknownOutcome
    level={1}
    heading={<Trans>We don’t know yet whether your payment went through</Trans>}
    actions={
      <EventButton actor={actor} event={{ type: 'status.pressed' }}>
        <Trans>Check again</Trans>
      </EventButton>
    }
  >
    {useSelector(actor, ({ context }) => context.checks) === 0 ? null : (
      <chakra.p mb={2}>
        <Trans>We’ve checked again, and there’s still no answer.</Trans>
      </chakra.p>
    )}
    <Trans>You won’t be charged twice. We’ll keep checking; you can also close this page and come back later.</Trans>
  </UnknownOutcome>
);

const Reconciling = (): ReactElement => (
  <PaymentWait heading={<Trans>Checking your payment…</Trans>}>
    <Trans>We’re checking its status. This won’t charge your card.</Trans>
  </PaymentWait>
);

const Settled = (): ReactElement => (
  <PaymentWait heading={<Trans>One moment…</Trans>}>
    <Trans>We have the result of your payment.</Trans>
  </PaymentWait>
);

/** The screens; after each settled state, the purchase continues automatically. */
const screens: Screens<typeof paymentMachine> = {
  arriving: Reconciling,
  submitting: Submitting,
  charging: Charging,
  unreachable: Unreachable,
  actionRequired: ActionRequired,
  cancelling: Reconciling,
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

type Props = { actor: ActorRefFrom<typeof paymentMachine>; children?: ReactNode };

/** The payment's progress, above its `children`, the summary of the goods. */
export const PaymentView = ({ actor, children }: Props): ReactElement => (
  <FlowScreen flow="payment" actor={actor} screens={screens}>
    {(screen) => (
      <chakra.div display="grid" gap={6}>
        {screen}
        {children}
      </chakra.div>
    )}
  </FlowScreen>
);

import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { formatDay } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { Message } from '../../ui/Message.tsx';
import { SubscriberLinks } from '../../views/lazy/subscription-messages.tsx';

/** A subscription that has just started. */
export const Subscribed = ({ actor }: { actor: ActorRefFrom<typeof receiptMachine> }): ReactElement => {
  const { i18n } = useLingui();
  const subscription = useSelector(actor, ({ context }) => context.subscription);
  const until = subscription?.until ?? null;
  return (
    <Message level={1} heading={<Trans>Thank you!</Trans>} actions={<SubscriberLinks />}>
      <p>
        <Trans>You’re subscribed.</Trans>
      </p>
      <chakra.p color="ink" fontWeight={600}>
        {subscription?.name}
      </chakra.p>
      {subscription?.status === 'active' && until !== null ? (
        <p>
          <Trans>
            Renews on <time dateTime={until}>{formatDay(until, i18n.locale)}</time>.
          </Trans>
        </p>
      ) : null}
      {subscription?.next && !subscription.next.changing && until !== null ? (
        <p>
          <Trans>
            From <time dateTime={until}>{formatDay(until, i18n.locale)}</time>:
          </Trans>{' '}
          {subscription.next.name}
        </p>
      ) : null}
      {subscription?.status === 'cancelled' && until !== null ? (
        <p>
          <Trans>
            You have access until <time dateTime={until}>{formatDay(until, i18n.locale)}</time>. It won’t renew.
          </Trans>
        </p>
      ) : null}
    </Message>
  );
};

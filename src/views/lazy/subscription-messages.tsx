import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { listPath } from '../../../machines/model/paths.ts';
import { plansPath } from '../../../machines/model/purchase-paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';

/** The message for a URL with a plan that is not offered, or no longer. */
export const NoSuchPlan = (): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>Your subscription</Trans>}
    actions={
      <ButtonLink href={plansPath}>
        <Trans>See subscriptions</Trans>
      </ButtonLink>
    }
  >
    <Trans>We couldn’t find this subscription. It may no longer be offered.</Trans>
  </Message>
);

/** A subscriber's links: to the titles, and to the account. */
export const SubscriberLinks = (): ReactElement => (
  <>
    <ButtonLink href={listPath('all')}>
      <Trans>See all titles</Trans>
    </ButtonLink>
    <ButtonLink href="/account" look="outline">
      <Trans>Manage your subscription</Trans>
    </ButtonLink>
  </>
);

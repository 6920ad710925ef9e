import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { subscriptionScreens } from './subscription-screens.tsx';

/** What a subscription brings, and whether the customer has one. */
export const SubscriptionView = ({ actor }: { actor: ActorRefFrom<typeof subscriptionMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = subscriptionScreens[value];
  return (
    <chakra.div data-flow="subscription" data-state={JSON.stringify(value)}>
      <Page width="text" display="grid" gap={6}>
        <chakra.h1 fontSize="3xl">
          <Trans>Subscriptions</Trans>
        </chakra.h1>
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};

import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import { requestPort } from '../../../machines/ports.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { subscriptionStatus } from '../../client/subscription.ts';
import { api } from '../../client/open-client.ts';

export const flow = subscriptionMachine.provide({
  actors: {
    subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => subscriptionStatus(await api(), signal)),
  },
});

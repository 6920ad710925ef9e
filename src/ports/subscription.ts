import type { SubscriptionStatus } from '../../machines/frame.ts';
import { requestPort } from '../../machines/ports.ts';
import { subscriptionMachine } from '../../machines/subscription.ts';
import { subscriptionStatus } from '../api/subscription.ts';
import { api } from './api.ts';

export const flow = subscriptionMachine.provide({
  actors: {
    subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => subscriptionStatus(await api(), signal)),
  },
});

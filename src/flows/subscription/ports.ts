import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { api } from '../../client/open-client.ts';
import { planById, plans } from '../../client/plans.ts';
import { subscriptionStatus } from '../../client/subscription.ts';

export const flow = subscriptionMachine.provide({
  actors: {
    loadPlans: requestPort<Plan[], { planId: string }>(async ({ input: { planId }, signal }) =>
      planId === '' ? plans(await api(), signal) : planById(await api(), planId, signal),
    ),
    subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => subscriptionStatus(await api(), signal)),
  },
});

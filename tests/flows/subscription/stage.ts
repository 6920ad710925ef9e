import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import type { FlowInput } from '../../../machines/model/flow.ts';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { withStoreOf } from '../../e2e/tours/store.ts';
import { json } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

const ofSubscription: Headings<typeof subscriptionMachine> = {
  deciding: 'Subscriptions',
  checking: 'Subscriptions',
  offered: 'Subscriptions',
  subscribed: 'Subscriptions',
  closed: 'Subscriptions',
  failed: 'We couldn’t check your subscription',
};

export const stage: Stage = {
  name: 'subscription',
  models,
  sharesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: ofSubscription,
  prepares: async (world, { input }) => {
    await withStoreOf(world.page, input as FlowInput);
    return undefined;
  },
  ports: {
    subscriptionStatus: {
      asks: ({ pathname }) => pathname.endsWith('/subscription/status'),
      answer: (status: SubscriptionStatus) => json(status),
      says: ({ subscribed }: SubscriptionStatus, body) => body.includes(`"subscribed":${subscribed}`),
    },
  },
};

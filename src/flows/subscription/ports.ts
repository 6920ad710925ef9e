import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
import { hidden } from '../../../machines/model/route.ts';
import { subscribingPath } from '../../../machines/model/subscribing-paths.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { World } from '../../shell/world.ts';
import { planById, plans } from '../../client/plans.ts';
import { secretInQuery } from '../../history/secret-in-address.ts';
import { withhold } from '../../history/withheld.ts';
import { subscriptionStatus } from '../../client/subscription.ts';

export const flow = ({ api, address }: World) =>
  subscriptionMachine.provide({
    actors: {
      loadPlans: requestPort<Plan[], { planId: string }>(async ({ input: { planId }, signal }) => {
        const offered = await (planId === '' ? plans(await api(), signal) : planById(await api(), planId, signal));
        const code = secretInQuery('code', address());
        // It goes along with whichever is chosen.
        if (code !== null) for (const { id } of offered) withhold(subscribingPath(id, hidden), subscribingPath(id, code));
        return offered;
      }),
      subscriptionStatus: requestPort<SubscriptionStatus>(async ({ signal }) => subscriptionStatus(await api(), signal)),
    },
  });

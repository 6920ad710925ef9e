import { subscribingPath } from '../../../machines/model/paths.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import { hidden } from '../../../machines/model/account/after-sign-in.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { World } from '../../shell/app/world.ts';
import { planById, plans } from '../../client/subscription/plans.ts';
import { secretInQuery } from '../../history/secret-in-address.ts';
import { withheld } from '../../history/withheld.ts';
import { ownSubscription } from '../../client/subscription/own-subscription.ts';
import { changePlan, quotePlan } from './calls.ts';

export const flow = ({ api, address, own }: World) =>
  subscriptionMachine.provide({
    actors: {
      loadPlans: requestPort<Plan[], { planId: string }>(async ({ input: { planId }, signal }) => {
        const offered = await (planId === '' ? plans(await api(), signal) : planById(await api(), planId, signal));
        const code = secretInQuery('code', address());
        // It goes along with whichever is chosen.
        if (code !== null)
          for (const { id } of offered) own(withheld).withhold(subscribingPath(id, hidden), subscribingPath(id, code));
        return offered;
      }),
      loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => ownSubscription(await api(), signal)),
      quotePlan: requestPort<PlanQuote, { planId: string }>(async ({ input, signal }) =>
        quotePlan(await api(), input.planId, signal),
      ),
      changePlan: requestPort<{ url: string }, { quote: PlanQuote | null }>(async ({ input: { quote }, signal }) => {
        if (quote === null) throw new Error('No plan was quoted.');
        return changePlan(await api(), quote, signal);
      }),
    },
  });

import { subscribePath } from '../../../machines/model/purchase-paths.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../machines/model/buying/subscription.ts';
import { HIDDEN_SECRET } from '../../../machines/model/account/after-sign-in.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { findPlans, fetchPlans } from '../../client/subscription/plans.ts';
import { readQuerySecret } from '../../history/secret-in-address.ts';
import { createSecretAddresses } from '../../history/secret-addresses.ts';
import { fetchSubscription } from '../../client/subscription/own-subscription.ts';
import { changePlan, quotePlanChange } from './calls.ts';

export const flow = ({ api, address, scoped }: AppEnvironment) =>
  subscriptionMachine.provide({
    actors: {
      loadPlans: requestPort<Plan[], { planId: string }>(async ({ input: { planId }, signal }) => {
        const plans = await (planId === '' ? fetchPlans(await api(), signal) : findPlans(await api(), planId, signal));
        const code = readQuerySecret('code', address());
        // The code applies to any plan that the customer chooses.
        if (code !== null)
          for (const { id } of plans)
            scoped(createSecretAddresses).registerSecret(subscribePath(id, HIDDEN_SECRET), subscribePath(id, code));
        return plans;
      }),
      loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => fetchSubscription(await api(), signal)),
      quotePlan: requestPort<PlanQuote, { planId: string }>(async ({ input, signal }) =>
        quotePlanChange(await api(), input.planId, signal),
      ),
      changePlan: requestPort<{ url: string }, { quote: PlanQuote | null }>(async ({ input: { quote }, signal }) => {
        if (quote === null) throw new Error('changePlan requires a quote, but it is null.');
        return changePlan(await api(), quote, signal);
      }),
    },
  });

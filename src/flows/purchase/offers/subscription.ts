import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { isUnreachable } from '../../../../machines/model/problem.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { creditsChanged } from '../../../client/subscription/credits-changed.ts';
import { fetchSubscription } from '../../../client/subscription/own-subscription.ts';
import { fetchPlan } from '../../../client/subscription/plans.ts';
import { toFetchProblem, throwProblem } from '../../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../../history/secret-in-address.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { planCodeStore } from '../../../storage/stored-code.ts';
import { fetchCodeTrial, startSubscriptionByCard, startSubscription } from '../calls/subscription.ts';
import { stateWithoutTransaction, type OfferPorts } from './offer-ports.ts';

/**
 * A plan; nothing is charged before the return from the gateway, or the authorisation of a saved
 * card.
 */
export const createSubscriptionOffer = ({ api, scoped }: AppEnvironment): OfferPorts => {
  /** The plans without a code. */
  const usualPlans = new Map<string, Plan>();
  const code = ({ planId }: { planId: string }): string => planCodeStore(planId).read();
  /** Removes the code from the address, since that one would be looked up before a stored one. */
  const dropFromAddress = (): void => {
    if (readQuerySecret('code') !== null) removeFromQuery('code');
  };
  const dropCode = (planId: string): void => {
    planCodeStore(planId).forget();
    dropFromAddress();
  };

  /** The plan with a code's trial days; null where the code has none. */
  const withTrial = async (plan: Plan, given: string, signal: AbortSignal): Promise<Plan | null> => {
    const trial = await fetchCodeTrial(await api(), given, signal);
    const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
    if (!isForPlan) return null;
    return trial.trialDays > 0 ? { ...plan, trialDays: trial.trialDays } : plan;
  };

  /**
   * The plan with the code of the address, or with a stored code. A code without trial days is
   * dropped.
   */
  const withKeptCode = async (planId: string, plan: Plan, signal: AbortSignal): Promise<Plan | null> => {
    const inAddress = readQuerySecret('code') ?? '';
    if (inAddress !== '') planCodeStore(planId).keep(inAddress);
    const given = planCodeStore(planId).read();
    if (given === '') return null;
    try {
      const reduced = await withTrial(plan, given, signal);
      if (reduced === null) dropCode(planId);
      return reduced;
    } catch (error) {
      // A code that could not be looked up may still be valid.
      if (toFetchProblem(error).kind !== 'refused') return plan;
      dropCode(planId);
      return null;
    }
  };

  const usual = async (planId: string, signal: AbortSignal): Promise<Plan> => {
    // An unreadable plan counts as not found; without an answer the customer can try again.
    const plan = await fetchPlan(await api(), planId, signal).catch((error: unknown) => {
      const problem = toFetchProblem(error);
      return throwProblem(isUnreachable(problem) ? problem : { kind: 'refused', code: 'not_found', message: '' });
    });
    usualPlans.set(planId, plan);
    return plan;
  };

  const repriced = (plan: Plan | null, isReduced: boolean) => ({ cart: null, plan, price: plan?.price ?? null, isReduced });

  /** Drops a refused code: the customer can subscribe without it. */
  const droppingCode =
    (planId: string) =>
    (error: unknown): never => {
      const problem = toFetchProblem(error);
      if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code)) dropCode(planId);
      return throwProblem(problem);
    };

  return {
    load: async ({ planId }, signal) => {
      const plan = await usual(planId, signal);
      const reduced = await withKeptCode(planId, plan, signal);
      return { ...noOffer, ...repriced(reduced ?? plan, reduced !== null), key: crypto.randomUUID() };
    },
    code,
    applyCode: async (given, { planId, plan }, signal) => {
      const reduced = plan === null ? null : await withTrial(plan, given, signal);
      if (reduced === null) return throwProblem({ kind: 'refused', code: 'code_misfit', message: '' });
      planCodeStore(planId).keep(given);
      dropFromAddress();
      return repriced(reduced, true);
    },
    removeCode: async ({ planId }, signal) => {
      const plan = usualPlans.get(planId) ?? (await usual(planId, signal));
      dropCode(planId);
      return repriced(plan, false);
    },
    begin: async (shop, { planId, code: given }, signal) => {
      const beginning = startSubscription(shop, { planId, code: given }, signal);
      const { url, transId } = await beginning.catch(droppingCode(planId));
      return { transId: transId ?? '', provider: '', url };
    },
    payByCard: async (shop, { planId, cardId, code: given }) => {
      const begun = startSubscriptionByCard(shop, { planId, cardId, code: given });
      const { subscriptionId, intentId, url } = await begun.catch(droppingCode(planId));
      const status = url === null ? 'authorized' : 'pending';
      return { transId: subscriptionId, titleId: '', status, intentId, url, reason: null };
    },
    // The server may have started the subscription although its answer was lost.
    fetchState: async (shop, { transId, url }, signal) => {
      const held = await fetchSubscription(shop, signal);
      if (held?.status === 'active') return stateWithoutTransaction('paid', { transId: transId ?? '' });
      // The gateway's page is still open.
      return url === null
        ? stateWithoutTransaction('none')
        : { ...stateWithoutTransaction('none'), transId: transId ?? '', status: 'pending', url };
    },
    // It may have added credits.
    notifyPaid: () => scoped(creditsChanged).emit(),
  };
};

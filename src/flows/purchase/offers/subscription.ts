import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { isUnreached } from '../../../../machines/model/problem.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { creditsChanged } from '../../../client/subscription/credit-news.ts';
import { ownSubscription } from '../../../client/subscription/own-subscription.ts';
import { planAt } from '../../../client/subscription/plans.ts';
import { problemOfFailure, raise } from '../../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../../history/secret-in-address.ts';
import type { AppEnvironment } from '../../../shell/app/world.ts';
import { planCode } from '../../../storage/kept-code.ts';
import { codeTrial, purchaseSubscription, subscriptionSession } from '../calls/subscription.ts';
import { without, type OfferPorts } from './offer-ports.ts';

/**
 * A plan; nothing is charged before the return from the gateway, or the authorisation of a saved
 * card.
 */
export const subscriptionOffer = ({ api, scoped }: AppEnvironment): OfferPorts => {
  /** The plans without a code. */
  const usualPlans = new Map<string, Plan>();
  const code = ({ planId }: { planId: string }): string => planCode(planId).read();
  /** Removes the code from the address, since that one would be looked up before a stored one. */
  const dropFromAddress = (): void => {
    if (secretInQuery('code') !== null) dropFromQuery('code');
  };
  const dropCode = (planId: string): void => {
    planCode(planId).forget();
    dropFromAddress();
  };

  /** The plan with a code's trial days; null where the code has none. */
  const withTrial = async (plan: Plan, given: string, signal: AbortSignal): Promise<Plan | null> => {
    const trial = await codeTrial(await api(), given, signal);
    const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
    if (!isForPlan) return null;
    return trial.trialDays > 0 ? { ...plan, trialDays: trial.trialDays } : plan;
  };

  /**
   * The plan with the code of the address, or with a stored code. A code without trial days is
   * dropped.
   */
  const withKeptCode = async (planId: string, plan: Plan, signal: AbortSignal): Promise<Plan | null> => {
    const inAddress = secretInQuery('code') ?? '';
    if (inAddress !== '') planCode(planId).keep(inAddress);
    const given = planCode(planId).read();
    if (given === '') return null;
    try {
      const reduced = await withTrial(plan, given, signal);
      if (reduced === null) dropCode(planId);
      return reduced;
    } catch (error) {
      // A code that could not be looked up may still be valid.
      if (problemOfFailure(error).kind !== 'refused') return plan;
      dropCode(planId);
      return null;
    }
  };

  const usual = async (planId: string, signal: AbortSignal): Promise<Plan> => {
    // An unreadable plan counts as not found; without an answer the customer can try again.
    const plan = await planAt(await api(), planId, signal).catch((error: unknown) => {
      const problem = problemOfFailure(error);
      return raise(isUnreached(problem) ? problem : { kind: 'refused', code: 'not_found', message: '' });
    });
    usualPlans.set(planId, plan);
    return plan;
  };

  const repriced = (plan: Plan | null, isReduced: boolean) => ({ cart: null, plan, price: plan?.price ?? null, isReduced });

  /** Drops a refused code: the customer can subscribe without it. */
  const droppingCode =
    (planId: string) =>
    (error: unknown): never => {
      const problem = problemOfFailure(error);
      if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code)) dropCode(planId);
      return raise(problem);
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
      if (reduced === null) return raise({ kind: 'refused', code: 'code_misfit', message: '' });
      planCode(planId).keep(given);
      dropFromAddress();
      return repriced(reduced, true);
    },
    removeCode: async ({ planId }, signal) => {
      const plan = usualPlans.get(planId) ?? (await usual(planId, signal));
      dropCode(planId);
      return repriced(plan, false);
    },
    begin: async (shop, { planId, code: given }, signal) => {
      const beginning = subscriptionSession(shop, { planId, code: given }, signal);
      const { url, transId } = await beginning.catch(droppingCode(planId));
      return { transId: transId ?? '', provider: '', url };
    },
    payByCard: async (shop, { planId, cardId, code: given }) => {
      const begun = purchaseSubscription(shop, { planId, cardId, code: given });
      const { subscriptionId, intentId, url } = await begun.catch(droppingCode(planId));
      const status = url === null ? 'authorized' : 'pending';
      return { transId: subscriptionId, titleId: '', status, intentId, url, reason: null };
    },
    // The server may have started the subscription although its answer was lost.
    standing: async (shop, { transId, url }, signal) => {
      const held = await ownSubscription(shop, signal);
      if (held?.status === 'active') return without('paid', { transId: transId ?? '' });
      // The gateway's page is still open.
      return url === null ? without('none') : { ...without('none'), transId: transId ?? '', status: 'pending', url };
    },
    // It may have added credits.
    granted: () => scoped(creditsChanged).emit(),
  };
};

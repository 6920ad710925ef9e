import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { isUnreached } from '../../../../machines/model/problem.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { creditNews } from '../../../client/subscription/credit-news.ts';
import { ownSubscription } from '../../../client/subscription/own-subscription.ts';
import { planAt } from '../../../client/subscription/plans.ts';
import { problemOfFailure, raise } from '../../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../../history/secret-in-address.ts';
import type { World } from '../../../shell/app/world.ts';
import { planCode } from '../../../storage/kept-code.ts';
import { codeTrial, purchaseSubscription, subscriptionSession } from '../calls/subscription.ts';
import { without, type OfferPorts } from './offer-ports.ts';

/**
 * A plan; no charge is made before the gateway has led back, or the kept card has authorised it.
 */
export const subscriptionOffer = ({ api, own }: World): OfferPorts => {
  /** The plans as they are without a code. */
  const usualPlans = new Map<string, Plan>();
  const code = ({ planId }: { planId: string }): string => planCode(planId).read();
  /** The code of the address would be looked up before one that is kept. */
  const dropFromAddress = (): void => {
    if (secretInQuery('code') !== null) dropFromQuery('code');
  };
  const dropCode = (planId: string): void => {
    planCode(planId).forget();
    dropFromAddress();
  };

  /** The plan with the free days that a code gives; null where it gives none. */
  const withTrial = async (plan: Plan, given: string, signal: AbortSignal): Promise<Plan | null> => {
    const trial = await codeTrial(await api(), given, signal);
    const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
    if (!isForPlan) return null;
    return trial.trialDays > 0 ? { ...plan, trialDays: trial.trialDays } : plan;
  };

  /**
   * The plan with the code of the address, or with the code that was kept before. A code that gives
   * no free days is dropped.
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
      // One that could not be looked up may still be good.
      if (problemOfFailure(error).kind !== 'refused') return plan;
      dropCode(planId);
      return null;
    }
  };

  const usual = async (planId: string, signal: AbortSignal): Promise<Plan> => {
    // An answer that is no plan offers none; without an answer the customer can try again.
    const plan = await planAt(await api(), planId, signal).catch((error: unknown) => {
      const problem = problemOfFailure(error);
      return raise(isUnreached(problem) ? problem : { kind: 'refused', code: 'not_found', message: '' });
    });
    usualPlans.set(planId, plan);
    return plan;
  };

  const repriced = (plan: Plan | null, isReduced: boolean) => ({ cart: null, plan, price: plan?.price ?? null, isReduced });

  /** A code that is refused is dropped: the customer can subscribe without it. */
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
    // A server may have begun it although its answer was lost.
    standing: async (shop, { transId, url }, signal) => {
      const held = await ownSubscription(shop, signal);
      if (held?.status === 'active') return without('paid', { transId: transId ?? '' });
      // The page at the gateway is still open.
      return url === null ? without('none') : { ...without('none'), transId: transId ?? '', status: 'pending', url };
    },
    // It may have brought credits.
    granted: () => own(creditNews).tell(),
  };
};

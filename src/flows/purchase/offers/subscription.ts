import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { creditNews } from '../../../client/subscription/credit-news.ts';
import { ownSubscription } from '../../../client/subscription/own-subscription.ts';
import { planById } from '../../../client/subscription/plans.ts';
import { problemOfFailure, raise } from '../../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../../history/secret-in-address.ts';
import type { World } from '../../../shell/app/world.ts';
import { codeTrial, purchaseSubscription, subscriptionSession } from '../calls/subscription.ts';
import { without, type OfferPorts } from './offer-ports.ts';

/**
 * A plan; no charge is made before the gateway has led back, or the kept card has authorised it.
 */
export const subscriptionOffer = ({ api, own }: World): OfferPorts => {
  /** The code that was typed here, in place of that of the address. */
  let typed: string | null = null;
  const code = (): string => typed ?? secretInQuery('code') ?? '';
  const dropCode = (): void => {
    typed = null;
    if (secretInQuery('code') !== null) dropFromQuery('code');
  };

  /** The plan with the free days that a code gives; null where it gives none. */
  const withTrial = async (plan: Plan, given: string, signal: AbortSignal): Promise<Plan | null> => {
    const trial = await codeTrial(await api(), given, signal);
    const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
    if (!isForPlan) return null;
    return trial.trialDays > 0 ? { ...plan, trialDays: trial.trialDays } : plan;
  };

  /** A code that gives none leaves the address. */
  const withCodeOfAddress = async (plan: Plan, signal: AbortSignal): Promise<Plan | null> => {
    if (code() === '') return null;
    try {
      const reduced = await withTrial(plan, code(), signal);
      if (reduced === null) dropCode();
      return reduced;
    } catch (error) {
      // One that could not be looked up may still be good.
      if (problemOfFailure(error).kind !== 'refused') return plan;
      dropCode();
      return null;
    }
  };

  const usual = async (planId: string, signal: AbortSignal): Promise<Plan> => {
    const [plan] = await planById(await api(), planId, signal);
    return plan ?? raise({ kind: 'refused', code: 'not_found', message: '' });
  };

  const repriced = (plan: Plan | null, isReduced: boolean) => ({ cart: null, plan, price: plan?.price ?? null, isReduced });

  /** A code that is refused is dropped: the customer can subscribe without it. */
  const withoutCode = (error: unknown): never => {
    const problem = problemOfFailure(error);
    if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code)) dropCode();
    return raise(problem);
  };

  return {
    load: async ({ planId }, signal) => {
      const plan = await usual(planId, signal);
      const reduced = await withCodeOfAddress(plan, signal);
      return { ...noOffer, ...repriced(reduced ?? plan, reduced !== null), key: crypto.randomUUID() };
    },
    code,
    applyCode: async (given, { plan }, signal) => {
      const reduced = plan === null ? null : await withTrial(plan, given, signal);
      if (reduced === null) return raise({ kind: 'refused', code: 'code_misfit', message: '' });
      typed = given;
      return repriced(reduced, true);
    },
    removeCode: async ({ planId }, signal) => {
      dropCode();
      return repriced(await usual(planId, signal), false);
    },
    begin: async (shop, { planId }, signal) => {
      const { url, transId } = await subscriptionSession(shop, { planId, code: code() }, signal).catch(withoutCode);
      return { transId: transId ?? '', provider: '', url };
    },
    payByCard: async (shop, { planId, cardId }) => {
      const begun = purchaseSubscription(shop, { planId, cardId, code: code() });
      const { subscriptionId, intentId, url } = await begun.catch(withoutCode);
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

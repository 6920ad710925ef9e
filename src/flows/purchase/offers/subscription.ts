import { noOffer } from '../../../../machines/buying/purchase/offer.ts';
import { isUnreachable } from '../../../../machines/model/problem.ts';
import type { Plan } from '../../../../machines/model/buying/subscription.ts';
import { creditsChanged } from '../../../client/subscription/credits-changed.ts';
import { fetchSubscription } from '../../../client/subscription/own-subscription.ts';
import { fetchPlan } from '../../../client/subscription/plans.ts';
import { toFetchProblem, throwProblem } from '../../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../../history/secret-in-address.ts';
import type { AppEnvironment } from '../../../shell/app/environment.ts';
import { getPlanCodeStorage } from '../../../storage/stored-code.ts';
import { fetchCodeTrial, startSubscriptionByCard, startSubscription } from '../calls/subscription.ts';
import { createStateWithoutTransaction, type OfferPorts } from './offer-ports.ts';

/**
 * Creates the ports for a plan. Nothing is charged before the customer's return from the gateway or
 * the authorisation of a saved card.
 */
export const createSubscriptionOffer = ({ api, scoped }: AppEnvironment): OfferPorts => {
  /** The plans without a code's trial days, by plan id. */
  const usualPlans = new Map<string, Plan>();
  const getCode = ({ planId }: { planId: string }): string => getPlanCodeStorage(planId).read();
  /** Removes the code from the URL, where it would take precedence over a stored one. */
  const dropFromAddress = (): void => {
    if (readQuerySecret('code') !== null) removeFromQuery('code');
  };
  const dropCode = (planId: string): void => {
    getPlanCodeStorage(planId).forget();
    dropFromAddress();
  };

  /** The plan with a code's trial days; null if the code adds no trial to this plan. */
  const withTrial = async (plan: Plan, code: string, signal: AbortSignal): Promise<Plan | null> => {
    const trial = await fetchCodeTrial(await api(), code, signal);
    const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
    if (!isForPlan) return null;
    return trial.trialDays > 0 ? { ...plan, trialDays: trial.trialDays } : plan;
  };

  /**
   * The plan with the code in the URL, or with a stored code; null without a valid code. A code
   * without trial days is dropped.
   */
  const withStoredCode = async (planId: string, plan: Plan, signal: AbortSignal): Promise<Plan | null> => {
    const codeInAddress = readQuerySecret('code') ?? '';
    if (codeInAddress !== '') getPlanCodeStorage(planId).keep(codeInAddress);
    const code = getPlanCodeStorage(planId).read();
    if (code === '') return null;
    try {
      const planWithTrial = await withTrial(plan, code, signal);
      if (planWithTrial === null) dropCode(planId);
      return planWithTrial;
    } catch (error) {
      // A code that could not be looked up may still be valid.
      if (toFetchProblem(error).kind !== 'refused') return plan;
      dropCode(planId);
      return null;
    }
  };

  const fetchUsualPlan = async (planId: string, signal: AbortSignal): Promise<Plan> => {
    // An unreadable plan counts as not found; if the server cannot be reached, the customer can try
    // again.
    const plan = await fetchPlan(await api(), planId, signal).catch((error: unknown) => {
      const problem = toFetchProblem(error);
      return throwProblem(isUnreachable(problem) ? problem : { kind: 'refused', code: 'not_found', message: '' });
    });
    usualPlans.set(planId, plan);
    return plan;
  };

  const toPlanPrice = (plan: Plan | null, isReduced: boolean) => ({ cart: null, plan, price: plan?.price ?? null, isReduced });

  /**
   * Creates a handler that drops a refused code, so that the customer can subscribe without it, and
   * rethrows the problem.
   */
  const createRefusalHandler =
    (planId: string) =>
    (error: unknown): never => {
      const problem = toFetchProblem(error);
      if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code)) dropCode(planId);
      return throwProblem(problem);
    };

  return {
    load: async ({ planId }, signal) => {
      const plan = await fetchUsualPlan(planId, signal);
      const planWithTrial = await withStoredCode(planId, plan, signal);
      return { ...noOffer, ...toPlanPrice(planWithTrial ?? plan, planWithTrial !== null), key: crypto.randomUUID() };
    },
    code: getCode,
    applyCode: async (code, { planId, plan }, signal) => {
      const planWithTrial = plan === null ? null : await withTrial(plan, code, signal);
      if (planWithTrial === null) return throwProblem({ kind: 'refused', code: 'code_misfit', message: '' });
      getPlanCodeStorage(planId).keep(code);
      dropFromAddress();
      return toPlanPrice(planWithTrial, true);
    },
    removeCode: async ({ planId }, signal) => {
      const plan = usualPlans.get(planId) ?? (await fetchUsualPlan(planId, signal));
      dropCode(planId);
      return toPlanPrice(plan, false);
    },
    begin: async (shop, { planId, code }, signal) => {
      const sessionPromise = startSubscription(shop, { planId, code }, signal);
      const { url, transId } = await sessionPromise.catch(createRefusalHandler(planId));
      return { transId: transId ?? '', provider: '', url };
    },
    payByCard: async (shop, { planId, cardId, code }) => {
      const paymentPromise = startSubscriptionByCard(shop, { planId, cardId, code });
      const { subscriptionId, intentId, url } = await paymentPromise.catch(createRefusalHandler(planId));
      const status = url === null ? 'authorized' : 'pending';
      return { transId: subscriptionId, titleId: '', status, intentId, url, reason: null };
    },
    // The server may have started the subscription although its response was lost.
    fetchState: async (shop, { transId, url }, signal) => {
      const subscription = await fetchSubscription(shop, signal);
      if (subscription?.status === 'active') return createStateWithoutTransaction('paid', { transId: transId ?? '' });
      // The gateway's page is still open.
      return url === null
        ? createStateWithoutTransaction('none')
        : { ...createStateWithoutTransaction('none'), transId: transId ?? '', status: 'pending', url };
    },
    // The subscription may have added credits.
    notifyPaid: () => scoped(creditsChanged).emit(),
  };
};

import { subscribingMachine, type CardPayment } from '../../../machines/buying/subscribing.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { HeldSubscription, Plan } from '../../../machines/model/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { allCards } from '../../client/cards.ts';
import { creditNews } from '../../client/credit-news.ts';
import { ownSubscription } from '../../client/own-subscription.ts';
import { planById } from '../../client/plans.ts';
import { problemOfFailure, raise } from '../../client/problem.ts';
import { verifyPayment } from '../../client/razorpay.ts';
import { dropFromQuery, secretInQuery } from '../../history/secret-in-address.ts';
import { codeTrial, confirmSubscription, purchaseSubscription, subscriptionSession } from './calls.ts';
import type { World } from '../../shell/world.ts';

const codeInAddress = (): string | null => secretInQuery('code') || null;

export const flow = ({ api, own, address }: World) => {
  /** The plan with the days for nothing that the code of the address gives. One that gives none leaves the address. */
  const withTrial = async (plans: Plan[], signal: AbortSignal): Promise<Plan[]> => {
    const code = codeInAddress();
    const [plan] = plans;
    if (code === null || plan === undefined) return plans;
    try {
      const trial = await codeTrial(await api(), code, signal);
      const isForPlan = trial !== null && (trial.planId === null || trial.planId === plan.id);
      if (!isForPlan) dropFromQuery('code');
      else if (trial.trialDays > 0) return [{ ...plan, trialDays: trial.trialDays }];
    } catch (error) {
      // One that could not be looked up may still be good.
      if (problemOfFailure(error).kind === 'refused') dropFromQuery('code');
    }
    return plans;
  };

  /** A code that is refused leaves the address: the customer can subscribe without it. */
  const withoutCode = (error: unknown): never => {
    const problem = problemOfFailure(error);
    if (problem.kind === 'refused' && /^(?:code|subscription_codes)_/.test(problem.code)) dropFromQuery('code');
    return raise(problem);
  };

  /** What was begun, or is found to have begun, may have brought credits. */
  const toldOf = <Answer>(answer: Answer): Answer => {
    if (answer !== null) own(creditNews).tell();
    return answer;
  };

  return subscribingMachine.provide({
    actors: {
      loadPlan: safePort<Plan[], { planId: string }>(
        async ({ input: { planId }, signal }) => withTrial(await planById(await api(), planId, signal), signal),
        () => [],
      ),
      loadCards: safePort<Card[]>(
        async ({ signal }) => (await allCards(await api(), signal)).filter(({ isExpired }) => !isExpired),
        () => [],
      ),
      startByCard: requestPort<CardPayment, { planId: string; cardId: string }>(async ({ input, signal }) =>
        toldOf(await purchaseSubscription(await api(), { ...input, code: codeInAddress() }, signal).catch(withoutCode)),
      ),
      startSubscribing: requestPort<{ url: string }, { planId: string }>(async ({ input: { planId }, signal }) =>
        subscriptionSession(await api(), { planId, code: codeInAddress() }, signal).catch(withoutCode),
      ),
      confirmSubscription: requestPort<object, { subscriptionId: string; intentId: string }>(async ({ input }) => {
        await verifyPayment(await api(), address().search);
        return toldOf(await confirmSubscription(await api(), input));
      }),
      loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) =>
        toldOf(await ownSubscription(await api(), signal)),
      ),
    },
  });
};

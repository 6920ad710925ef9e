import { subscribingMachine, type CardPayment } from '../../../machines/buying/subscribing.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { HeldSubscription, Plan } from '../../../machines/model/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { allCards } from '../../client/cards.ts';
import { api } from '../../client/open-client.ts';
import { ownSubscription } from '../../client/own-subscription.ts';
import { planById } from '../../client/plans.ts';
import { secretInQuery } from '../../history/secret-in-address.ts';
import { confirmSubscription, purchaseSubscription, subscriptionSession } from './calls.ts';

const codeInAddress = (): string | null => secretInQuery('code') || null;

export const flow = subscribingMachine.provide({
  actors: {
    loadPlan: safePort<Plan[], { planId: string }>(
      async ({ input: { planId }, signal }) => planById(await api(), planId, signal),
      () => [],
    ),
    loadCards: safePort<Card[]>(
      async ({ signal }) => (await allCards(await api(), signal)).filter(({ isExpired }) => !isExpired),
      () => [],
    ),
    startByCard: requestPort<CardPayment, { planId: string; cardId: string }>(async ({ input, signal }) =>
      purchaseSubscription(await api(), { ...input, code: codeInAddress() }, signal),
    ),
    startSubscribing: requestPort<{ url: string }, { planId: string }>(async ({ input: { planId }, signal }) =>
      subscriptionSession(await api(), { planId, code: codeInAddress() }, signal),
    ),
    confirmSubscription: requestPort<object, { subscriptionId: string; intentId: string }>(async ({ input }) =>
      confirmSubscription(await api(), input),
    ),
    loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => ownSubscription(await api(), signal)),
  },
});

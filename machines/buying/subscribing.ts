import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Card } from '../model/card.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { mayHaveHappened, type Problem } from '../model/problem.ts';
import { subscribedPath } from '../model/subscribing-paths.ts';
import type { HeldSubscription, Plan } from '../model/subscription.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

/** What the gateway leads back with, or has made of a kept card. */
type Returned = { subscriptionId: string; intentId: string };

/** A payment by a kept card; `url` where its bank asks for something first. Nothing is charged yet. */
export type CardPayment = Returned & { url: string | null };

type Context = {
  sells: boolean;
  /** The page of a subscription that has begun. */
  isSuccess: boolean;
  planId: string;
  returned: Returned | null;
  plan: Plan | null;
  /** That the customer has kept and that are good. */
  cards: Card[];
  /** The one that is paid by. */
  cardId: string | null;
  /** The gateway's page, once the payment has begun. */
  url: string | null;
  held: HeldSubscription | null;
  /** How often an unknown outcome has been asked for; the wait grows with it. */
  checks: number;
  problem: Problem | null;
};

const returnedIn = ({ subscriptionid, intentId }: Record<string, string>): Returned | null =>
  subscriptionid === undefined || intentId === undefined ? null : { subscriptionId: subscriptionid, intentId };

/**
 * Subscribing to a plan: what it costs, the gateway's page, on which the customer leaves a card, and the confirmation on the way
 * back, before which nothing is charged. To confirm again charges nothing again, so that a lost answer is asked for until it comes.
 */
export const subscribingMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'subscribe.pressed' }
      | { type: 'card.pressed'; cardId: string }
      | { type: 'continue.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'status.pressed' };
    input: FlowInput;
  },
  actors: {
    /** None where it cannot be looked up, whyever. */
    loadPlan: safePort<Plan[], { planId: string }>(),
    /** None where they cannot be listed, whyever: another card can be typed. */
    loadCards: safePort<Card[]>(),
    /** Begins the payment by a kept card and charges nothing. */
    startByCard: requestPort<CardPayment, { planId: string; cardId: string }>(),
    /** Begins the payment and charges nothing. @returns the gateway's page */
    startSubscribing: requestPort<{ url: string }, { planId: string }>(),
    /** Charges the authorised payment, once however often it is asked, and begins the subscription. */
    confirmSubscription: requestPort<object, Returned>(),
    loadSubscription: requestPort<HeldSubscription | null>(),
  },
  actions: {
    keepPlan: assign({ plan: (_, [plan]: Plan[]) => plan ?? null, problem: null }),
    keepCards: assign({ cards: (_, cards: Card[]) => cards }),
    dropCards: assign({ cards: [] }),
    choose: assign({ cardId: (_, cardId: string) => cardId, problem: null }),
    chooseNone: assign({ cardId: null, problem: null }),
    keepCardPayment: assign((_, { subscriptionId, intentId, url }: CardPayment) => ({
      returned: { subscriptionId, intentId },
      url,
      problem: null,
    })),
    keepUrl: assign({ url: (_, { url }: { url: string }) => url, problem: null }),
    keepHeld: assign({ held: (_, held: HeldSubscription | null) => held, problem: null }),
    keepProblem: keepProblem(),
    /** What has come to nothing is not taken up again. */
    startAnew: assign({ returned: null, url: null, problem: null }),
    countCheck: assign({ checks: ({ context }) => context.checks + 1 }),
    goPay: sendParent(({ context }) => ({ type: 'leave', url: context.url ?? '' })),
    /** The page is loaded anew: all of the shop knows the subscription then. */
    goWelcome: sendParent({ type: 'leave', url: subscribedPath }),
    goBack: sendParent({ type: 'go', to: '/subscription', replace: false }),
  },
  guards: {
    isSuccess: ({ context }) => context.isSuccess,
    isOffered: ({ context }) => context.sells && context.planId !== '',
    hasReturned: ({ context }) => context.returned !== null,
    isKept: ({ context }, cardId: string) => context.cards.some(({ id }) => id === cardId),
    asksBank: (_, { url }: CardPayment) => url !== null,
    isUnknown: (_, plans: Plan[]) => plans.length === 0,
    isNone: (_, held: HeldSubscription | null) => held === null,
    isAlreadySubscribed: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'already_subscribed',
    mayHaveBegun: (_, problem: Problem) => mayHaveHappened(problem),
    isOpen: (_, problem: Problem) => mayHaveHappened(problem) || problem.kind === 'unauthorized',
    isRunning: (_, held: HeldSubscription | null) => held?.status === 'active',
  },
  delays: {
    /** 3 s, then twice as long each time, at most a minute. */
    checkAgain: ({ context }) => Math.min(3000 * 2 ** context.checks, 60_000),
  },
}).createMachine({
  id: 'subscribing',
  context: ({ input: { route, store } }) => ({
    sells: store.enableSubscription,
    isSuccess: route.params['page'] === 'subscription/purchase/success',
    planId: route.params['planid'] ?? '',
    returned: returnedIn(route.params),
    plan: null,
    cards: [],
    cardId: null,
    url: null,
    held: null,
    checks: 0,
    problem: null,
  }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [
        { guard: 'isSuccess', target: 'welcoming' },
        { guard: 'hasReturned', target: 'confirming' },
        { guard: 'isOffered', target: 'loading' },
        { target: 'notFound' },
      ],
    },
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadPlan',
        src: 'loadPlan',
        input: ({ context }) => ({ planId: context.planId }),
        onDone: [
          { guard: { type: 'isUnknown', params: outputIn }, target: 'notFound' },
          { target: 'findingCards', actions: { type: 'keepPlan', params: outputIn } },
        ],
      },
    },
    findingCards: {
      tags: 'busy',
      invoke: {
        id: 'loadCards',
        src: 'loadCards',
        onDone: { target: 'offering', actions: { type: 'keepCards', params: outputIn } },
      },
    },
    offering: {
      exit: 'dropCards',
      initial: 'ready',
      states: {
        ready: {
          on: {
            'subscribe.pressed': { target: 'starting', actions: 'chooseNone' },
            'card.pressed': {
              guard: { type: 'isKept', params: ({ event }) => event.cardId },
              target: 'startingByCard',
              actions: { type: 'choose', params: ({ event }) => event.cardId },
            },
            'cancel.pressed': { actions: 'goBack' },
          },
        },
        startingByCard: {
          meta: { spec: ['S7.subscription/purchase'] },
          tags: 'busy',
          invoke: {
            id: 'startByCard',
            src: 'startByCard',
            input: ({ context }) => ({ planId: context.planId, cardId: context.cardId ?? '' }),
            onDone: [
              {
                guard: { type: 'asksBank', params: outputIn },
                target: '#subscribing.actionRequired',
                actions: [{ type: 'keepCardPayment', params: outputIn }, 'goPay'],
              },
              { target: '#subscribing.confirming', actions: { type: 'keepCardPayment', params: outputIn } },
            ],
            onError: [
              { guard: { type: 'isAlreadySubscribed', params: problemIn }, target: '#subscribing.subscribed' },
              {
                guard: { type: 'mayHaveBegun', params: problemIn },
                target: '#subscribing.lookingUp',
                actions: { type: 'keepProblem', params: problemIn },
              },
              { target: 'ready', actions: { type: 'keepProblem', params: problemIn } },
            ],
          },
        },
        starting: {
          meta: { spec: ['S7.checkout/subscription/session'] },
          tags: 'busy',
          invoke: {
            id: 'startSubscribing',
            src: 'startSubscribing',
            input: ({ context }) => ({ planId: context.planId }),
            onDone: { target: '#subscribing.actionRequired', actions: [{ type: 'keepUrl', params: outputIn }, 'goPay'] },
            onError: [
              { guard: { type: 'isAlreadySubscribed', params: problemIn }, target: '#subscribing.subscribed' },
              { target: 'ready', actions: { type: 'keepProblem', params: problemIn } },
            ],
          },
        },
      },
    },
    /** The customer is at the gateway's page, or has come back from it by Back. */
    actionRequired: { on: { 'continue.pressed': { actions: 'goPay' }, 'cancel.pressed': { actions: 'goBack' } } },
    confirming: {
      meta: { spec: ['S7.subscription/confirm'] },
      tags: 'busy',
      invoke: {
        id: 'confirmSubscription',
        src: 'confirmSubscription',
        input: ({ context }) => context.returned ?? { subscriptionId: '', intentId: '' },
        onDone: { target: 'confirmed', actions: 'goWelcome' },
        onError: [
          { guard: { type: 'isAlreadySubscribed', params: problemIn }, target: 'subscribed' },
          {
            guard: { type: 'isOpen', params: problemIn },
            target: 'unknown',
            actions: { type: 'keepProblem', params: problemIn },
          },
          { target: 'refused', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    /** It has begun; the page that says so is being loaded. */
    confirmed: { on: { 'continue.pressed': { actions: 'goWelcome' } } },
    /** Whether it was charged is not known; asking again tells. */
    unknown: {
      exit: 'countCheck',
      after: { checkAgain: 'asking' },
      on: { 'status.pressed': 'asking' },
    },
    /** A payment with an id is confirmed again; without one the subscription is looked up. */
    asking: { always: [{ guard: 'hasReturned', target: 'confirming' }, { target: 'lookingUp' }] },
    /** The answer to a kept card was lost: a server may have begun the subscription. */
    lookingUp: {
      meta: { spec: ['S7.subscription/status'] },
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: [
          { guard: { type: 'isRunning', params: outputIn }, target: 'confirmed', actions: 'goWelcome' },
          { target: 'findingCards' },
        ],
        onError: { target: 'unknown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** It has come to nothing, and nothing is charged. */
    refused: { on: { 'retry.pressed': { target: 'loading', actions: 'startAnew' } } },
    welcoming: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: [
          { guard: { type: 'isNone', params: outputIn }, target: 'notFound' },
          { target: 'welcomed', actions: { type: 'keepHeld', params: outputIn } },
        ],
        onError: { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    welcomed: {},
    /** The customer has one already. */
    subscribed: {},
    notFound: {},
    failed: { on: { 'retry.pressed': 'welcoming' } },
  },
});

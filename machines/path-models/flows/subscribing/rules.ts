import { subscribedPath } from '../../../model/paths.ts';
import type { subscribingMachine } from '../../../buying/subscribing.ts';
import { mayHaveHappened } from '../../../model/problem.ts';
import type { HeldSubscription, Plan } from '../../../model/subscription.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof subscribingMachine>();

export const rules: Record<string, MachineRules> = {
  subscribing: {
    rules: [
      leadsTo('what is asked for comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => snapshot.matches('offering') || !snapshot.hasTag('busy'),
      }),
      onlyAfter('a payment only begins by a press', {
        cause: ({ event, before }) => event.type === 'subscribe.pressed' && before?.matches({ offering: 'ready' }) === true,
        what: (moment) => askedOf(moment, 'startSubscribing') !== undefined,
        each: true,
      }),
      always('a card is only used by a press, and it is the one that was pressed, which the customer has', (moment) => {
        const asked = askedOf<{ cardId: string }>(moment, 'startByCard');
        if (asked === undefined) return true;
        const has = moment.before?.context.cards.some(({ id }) => id === asked.cardId) === true;
        return moment.event.type === 'card.pressed' && moment.event['cardId'] === asked.cardId && has;
      }),
      invariant('cards are held while one can be chosen, and no longer', (snapshot) => {
        return snapshot.matches('offering') || snapshot.context.cards.length === 0;
      }),
      always('the payment is for the plan that is shown', (moment) => {
        const asked = askedOf<{ planId: string }>(moment, 'startSubscribing');
        const plan = moment.snapshot.context.plan;
        return asked === undefined || (plan !== null && asked.planId === moment.snapshot.context.planId);
      }),
      always('only what the gateway has led back with, or made of a card, is confirmed', (moment) => {
        const asked = askedOf<{ subscriptionId: string; intentId: string }>(moment, 'confirmSubscription');
        if (asked === undefined) return true;
        const { returned } = moment.snapshot.context;
        return returned !== null && asked.subscriptionId === returned.subscriptionId && asked.intentId === returned.intentId;
      }),
      onlyAfter('nobody is said to have subscribed before the server has confirmed it', {
        cause: (moment) =>
          answerOf(moment, 'confirmSubscription') !== undefined ||
          answerOf<HeldSubscription | null>(moment, 'loadSubscription')?.status === 'active',
        what: ({ snapshot }) => snapshot.matches('confirmed'),
      }),
      always('who leaves goes to the page that the server names, or to the one that says thank you', (moment) => {
        const known = [moment.snapshot.context.url, subscribedPath];
        return toldOf(moment, 'leave').every(({ url }) => known.includes(url as string));
      }),
      leadsTo('a payment of which nothing is known is asked about until it is', {
        after: ({ snapshot }) => snapshot.matches('unknown'),
        to: ({ snapshot }) => !(['unknown', 'confirming', 'lookingUp'] as const).some((state) => snapshot.matches(state)),
      }),
      always('a card whose answer was lost pays nothing again before the subscription was asked for', (moment) => {
        const problem = failureOf(moment, 'startByCard');
        return problem === null || !mayHaveHappened(problem) || moment.snapshot.matches('lookingUp');
      }),
      always('what is shown is the plan that the server has', (moment) => {
        const said = answerOf<Plan[]>(moment, 'loadPlan');
        return (
          said === undefined || said.length === 0 || JSON.stringify(moment.snapshot.context.plan) === JSON.stringify(said[0])
        );
      }),
      invariant('a store that sells none begins nothing', (snapshot) => {
        return snapshot.context.sells || !(snapshot.matches('offering') || snapshot.matches('actionRequired'));
      }),
      invariant('what has come to nothing is told why', ({ value, context }) => {
        return (value !== 'refused' && value !== 'unknown') || context.problem !== null;
      }),
    ],
    pii: {
      'subscribing.offering': 'the buttons name the cards',
    },
    ledOn: {
      'subscribing.notFound': 'a link leads to the subscriptions that there are',
      'subscribing.subscribed': 'links lead to the titles and to the account',
    },
  },
};

import type { creditsMachine } from '../../../machines/account/credits.ts';
import type { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import { isRenewed, type CreditBalance, type HeldSubscription } from '../../../machines/model/subscription.ts';
import { answerOf, askedOf, rulesFor, toldOf } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const ownSubscription = rulesFor<typeof ownSubscriptionMachine>();
const credits = rulesFor<typeof creditsMachine>();

/** What must hold of the customer's subscription and credits. */
export const subscriptionRules: Record<string, MachineRules> = {
  ownSubscription: {
    rules: [
      ownSubscription.leadsTo('a subscription comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      ownSubscription.always('what is shown is what the server said last', (moment) => {
        const said = answerOf<HeldSubscription | null>(moment, 'loadSubscription');
        const { held } = moment.snapshot.context;
        if (said) return JSON.stringify(held) === JSON.stringify(said);
        return JSON.stringify(held) === JSON.stringify(moment.before?.context.held ?? null);
      }),
      ownSubscription.onlyAfter('a subscription is only cancelled by a press that answers the question', {
        cause: ({ event, before }) => event.type === 'cancellation.confirmed' && before?.matches('asking') === true,
        what: (moment) => askedOf(moment, 'cancelSubscription') !== undefined,
        each: true,
      }),
      ownSubscription.always('to the gateway leads a press alone, and where the server says', (moment) => {
        const told = toldOf(moment, 'leave').map(({ url }) => url);
        const page = answerOf<{ url: string }>(moment, 'openPortal');
        return JSON.stringify(told) === JSON.stringify(page === undefined ? [] : [page.url]);
      }),
      ownSubscription.onlyAfter('the gateway is only asked for its page by a press on one that is renewed', {
        cause: ({ event, before }) => event.type === 'card.pressed' && isRenewed(before?.context.held ?? null),
        what: (moment) => askedOf(moment, 'openPortal') !== undefined,
        each: true,
      }),
      ownSubscription.invariant('only one that would be renewed is asked about', (snapshot) => {
        return !snapshot.matches('asking') || isRenewed(snapshot.context.held);
      }),
      ownSubscription.onlyAfter('one is only said to have been cancelled when the server has done it', {
        cause: (moment) => answerOf(moment, 'cancelSubscription') !== undefined,
        what: ({ snapshot }) => snapshot.context.cancelled,
      }),
      ownSubscription.invariant('one that is said to have been cancelled is renewed no more', ({ context }) => {
        return !context.cancelled || !isRenewed(context.held);
      }),
      ownSubscription.always('what the server refused is told', ({ event, snapshot }) => {
        return !event.type.startsWith('xstate.error.') || snapshot.context.problem !== null;
      }),
      ownSubscription.invariant('what was said before is over when it is asked about', (snapshot) => {
        return (
          (!snapshot.matches('asking') && !snapshot.matches('leaving')) ||
          (snapshot.context.problem === null && !snapshot.context.cancelled)
        );
      }),
      ownSubscription.invariant('who has none is led to those that there are, and nowhere where there are none', (snapshot) => {
        if (snapshot.matches('offered')) return snapshot.context.sells;
        return !snapshot.matches('none') || !snapshot.context.sells;
      }),
      ownSubscription.leadsTo('every press is answered', {
        after: ({ snapshot }) => snapshot.matches('cancelling') || snapshot.matches('leaving'),
        to: ({ snapshot }) => !snapshot.hasTag('busy'),
      }),
    ],
  },
  credits: {
    rules: [
      credits.leadsTo('credits come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      credits.always('what is shown is what the server has, where the store takes credits or some are left', (moment) => {
        const said = answerOf<CreditBalance>(moment, 'loadCredits');
        if (said === undefined) return !moment.snapshot.matches('shown');
        const isShown = said.accepted || said.balance !== 0;
        if (isShown !== moment.snapshot.matches('shown')) return false;
        return !isShown || JSON.stringify(moment.snapshot.context.credits) === JSON.stringify(said);
      }),
      credits.always('what the server refused is told', ({ event, snapshot }) => {
        return !event.type.startsWith('xstate.error.') || snapshot.context.problem !== null;
      }),
    ],
  },
};

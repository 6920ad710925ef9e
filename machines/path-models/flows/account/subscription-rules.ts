import type { creditsMachine } from '../../../account/credits.ts';
import type { ownSubscriptionMachine } from '../../../account/own-subscription.ts';
import { isRenewing, isResumable, type CreditBalance, type HeldSubscription } from '../../../model/buying/subscription.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const ownSubscription = rulesFor<typeof ownSubscriptionMachine>();
const credits = rulesFor<typeof creditsMachine>();

/** The rules of the customer's subscription and credits. */
export const subscriptionRules: Record<string, MachineRules> = {
  ownSubscription: {
    rules: [
      ownSubscription.leadsTo('a subscription comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      ownSubscription.always('what is shown is what the server said last', (moment) => {
        const said = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        const { held } = moment.snapshot.context;
        if (said) return JSON.stringify(held) === JSON.stringify(said);
        return JSON.stringify(held) === JSON.stringify(moment.before?.context.held ?? null);
      }),
      ownSubscription.onlyAfter('a subscription is only cancelled by a press that answers the question', {
        cause: ({ event, before }) => event.type === 'cancellation.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'cancelSubscription') !== undefined,
        each: true,
      }),
      ownSubscription.always('to the gateway leads a press alone, and where the server says', (moment) => {
        const told = getSentEvents(moment, 'leave').map(({ url }) => url);
        const page = getPortOutput<{ url: string }>(moment, 'openPortal');
        return JSON.stringify(told) === JSON.stringify(page === undefined ? [] : [page.url]);
      }),
      ownSubscription.onlyAfter('the gateway is only asked for its page by a press on one that is renewed', {
        cause: ({ event, before }) => event.type === 'card.pressed' && isRenewing(before?.context.held ?? null),
        what: (moment) => getPortInput(moment, 'openPortal') !== undefined,
        each: true,
      }),
      ownSubscription.invariant('only one that would be renewed is asked about', (snapshot) => {
        return !snapshot.matches('asking') || isRenewing(snapshot.context.held);
      }),
      ownSubscription.onlyAfter('a subscription is only taken up again by a press on one that can be', {
        cause: ({ event, before }) => event.type === 'resume.pressed' && isResumable(before?.context.held ?? null),
        what: (moment) => getPortInput(moment, 'resumeSubscription') !== undefined,
        each: true,
      }),
      ownSubscription.onlyAfter('what the customer wants is only said to be so once the server was asked for it', {
        cause: (moment) =>
          getPortInput(moment, 'cancelSubscription') !== undefined || getPortInput(moment, 'resumeSubscription') !== undefined,
        what: ({ snapshot }) => snapshot.context.granted,
      }),
      ownSubscription.always('what went wrong is told, unless it is as it was wanted after all', ({ before, snapshot }) => {
        if (before === null || before.context.problem === null || !before.matches('refreshing')) return true;
        return snapshot.context.problem !== null || snapshot.context.granted;
      }),
      ownSubscription.invariant('it is said to be what it is', ({ context: { wish, granted, held } }) => {
        return !granted || (wish !== null && isRenewing(held) === (wish === 'resumed'));
      }),
      ownSubscription.always('whatever comes of a cancelling, or of taking up, the server is asked how it stands', (moment) => {
        const { event } = moment;
        const isAnswer = /\.(?:cancelSubscription|resumeSubscription)$/.test(event.type);
        return !isAnswer || getPortInput(moment, 'loadSubscription') !== undefined;
      }),
      ownSubscription.always('what the server refused is told', ({ event, snapshot }) => {
        return !event.type.startsWith('xstate.error.') || snapshot.context.problem !== null;
      }),
      ownSubscription.invariant('what was said before is over when it is asked about', (snapshot) => {
        return (
          !['asking', 'leaving', 'resuming'].includes(snapshot.value) ||
          (snapshot.context.problem === null && !snapshot.context.granted)
        );
      }),
      ownSubscription.invariant('who has none is led to those that there are, and nowhere where there are none', (snapshot) => {
        if (snapshot.matches('offered')) return snapshot.context.sells;
        return !snapshot.matches('none') || !snapshot.context.sells;
      }),
      ownSubscription.leadsTo('every press is answered', {
        after: ({ snapshot }) => snapshot.hasTag('busy'),
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
        const said = getPortOutput<CreditBalance>(moment, 'loadCredits');
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

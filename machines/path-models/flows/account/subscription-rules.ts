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
      ownSubscription.leadsTo('the subscription loads or its failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      ownSubscription.always('the shown subscription is that of the server’s last answer', (moment) => {
        const loadedSubscription = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        const { held } = moment.snapshot.context;
        if (loadedSubscription) return JSON.stringify(held) === JSON.stringify(loadedSubscription);
        return JSON.stringify(held) === JSON.stringify(moment.before?.context.held ?? null);
      }),
      ownSubscription.onlyAfter('a subscription is cancelled only after the customer confirms the question', {
        cause: ({ event, before }) => event.type === 'cancellation.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'cancelSubscription') !== undefined,
        each: true,
      }),
      ownSubscription.always('the page is left only for the URL of the opened portal', (moment) => {
        const sentUrls = getSentEvents(moment, 'leave').map(({ url }) => url);
        const page = getPortOutput<{ url: string }>(moment, 'openPortal');
        return JSON.stringify(sentUrls) === JSON.stringify(page === undefined ? [] : [page.url]);
      }),
      ownSubscription.onlyAfter('the portal is requested only after a press, for a subscription that renews', {
        cause: ({ event, before }) => event.type === 'card.pressed' && isRenewing(before?.context.held ?? null),
        what: (moment) => getPortInput(moment, 'openPortal') !== undefined,
        each: true,
      }),
      ownSubscription.invariant('the question appears only for a subscription that renews', (snapshot) => {
        return !snapshot.matches('asking') || isRenewing(snapshot.context.held);
      }),
      ownSubscription.onlyAfter('a subscription resumes only after a press, if it is resumable', {
        cause: ({ event, before }) => event.type === 'resume.pressed' && isResumable(before?.context.held ?? null),
        what: (moment) => getPortInput(moment, 'resumeSubscription') !== undefined,
        each: true,
      }),
      ownSubscription.onlyAfter('a change is shown as granted only after it was requested', {
        cause: (moment) =>
          getPortInput(moment, 'cancelSubscription') !== undefined || getPortInput(moment, 'resumeSubscription') !== undefined,
        what: ({ snapshot }) => snapshot.context.granted,
      }),
      ownSubscription.always(
        'a problem stays after a refresh unless the change was granted after all',
        ({ before, snapshot }) => {
          if (before === null || before.context.problem === null || !before.matches('refreshing')) return true;
          return snapshot.context.problem !== null || snapshot.context.granted;
        },
      ),
      ownSubscription.invariant('a granted change agrees with the held subscription', ({ context: { wish, granted, held } }) => {
        return !granted || (wish !== null && isRenewing(held) === (wish === 'resumed'));
      }),
      ownSubscription.always('every answer to a cancellation or resumption reloads the subscription', (moment) => {
        const { event } = moment;
        const isAnswer = /\.(?:cancelSubscription|resumeSubscription)$/.test(event.type);
        return !isAnswer || getPortInput(moment, 'loadSubscription') !== undefined;
      }),
      ownSubscription.always('every failed request shows its problem', ({ event, snapshot }) => {
        return !event.type.startsWith('xstate.error.') || snapshot.context.problem !== null;
      }),
      ownSubscription.invariant('a new action clears the earlier problem and confirmation', (snapshot) => {
        return (
          !['asking', 'leaving', 'resuming'].includes(snapshot.value) ||
          (snapshot.context.problem === null && !snapshot.context.granted)
        );
      }),
      ownSubscription.invariant('a customer without a subscription is offered one exactly if the store sells any', (snapshot) => {
        if (snapshot.matches('offered')) return snapshot.context.sells;
        return !snapshot.matches('none') || !snapshot.context.sells;
      }),
      ownSubscription.leadsTo('every busy state ends', {
        after: ({ snapshot }) => snapshot.hasTag('busy'),
        to: ({ snapshot }) => !snapshot.hasTag('busy'),
      }),
    ],
  },
  credits: {
    rules: [
      credits.leadsTo('the credits load or their failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      credits.always('the server’s credits are shown if the store takes credits or if some are left', (moment) => {
        const loadedCredits = getPortOutput<CreditBalance>(moment, 'loadCredits');
        if (loadedCredits === undefined) return !moment.snapshot.matches('shown');
        const isShown = loadedCredits.accepted || loadedCredits.balance !== 0;
        if (isShown !== moment.snapshot.matches('shown')) return false;
        return !isShown || JSON.stringify(moment.snapshot.context.credits) === JSON.stringify(loadedCredits);
      }),
      credits.always('every failed request shows its problem', ({ event, snapshot }) => {
        return !event.type.startsWith('xstate.error.') || snapshot.context.problem !== null;
      }),
    ],
  },
};

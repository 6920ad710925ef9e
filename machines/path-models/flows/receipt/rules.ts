import type { receiptMachine } from '../../../buying/receipt.ts';
import type { HeldSubscription } from '../../../model/subscription.ts';
import { isMissing } from '../../../ports.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof receiptMachine>();

export const rules: Record<string, MachineRules> = {
  receipt: {
    rules: [
      onlyAfter('nothing is thanked for that the server does not know of', {
        cause: (moment) => answerOf(moment, 'purchaseInfo') !== undefined,
        what: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('printing'),
      }),
      onlyAfter('nobody is said to be subscribed whose subscription the server does not know', {
        cause: (moment) => (answerOf<HeldSubscription | null>(moment, 'loadSubscription') ?? null) !== null,
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('the subscription that is shown is the one that was answered, and none is said to be missing', (moment) => {
        const held = answerOf<HeldSubscription | null>(moment, 'loadSubscription');
        if (held === undefined) return true;
        const { value, context } = moment.snapshot;
        return held === null
          ? value === 'notFound'
          : value === 'subscribed' && JSON.stringify(context.subscription) === JSON.stringify(held);
      }),
      always('what the address names is asked for, at first and when it is tried again', (moment) => {
        const { isOfPlan, transId } = moment.snapshot.context;
        const asks = moment.before === null || (moment.event.type === 'retry.pressed' && moment.before.matches('failed'));
        const receipt = askedOf<{ transId: string }>(moment, 'purchaseInfo');
        const isOfPlanAsked = askedOf(moment, 'loadSubscription') !== undefined;
        if (!asks) return receipt === undefined && !isOfPlanAsked;
        if (isOfPlan) return isOfPlanAsked;
        return transId === '' ? moment.snapshot.matches('notFound') : receipt?.transId === transId;
      }),
      always('what cannot be loaded is said to be missing, or to have failed', (moment) => {
        const problem = failureOf(moment, 'purchaseInfo');
        if (problem !== null) return moment.snapshot.value === (isMissing(null, problem) ? 'notFound' : 'failed');
        return failureOf(moment, 'loadSubscription') === null || moment.snapshot.matches('failed');
      }),
      invariant('a receipt that is shown is there', ({ context, value }) => {
        return !['shown', 'printing'].includes(value) || context.receipt !== null;
      }),
      always('Read opens what was bought', (moment) => {
        const isRead = moment.event.type === 'read.pressed' && moment.fired.length > 0;
        return (
          !isRead ||
          toldOf(moment, 'go').some(({ to }) => String(to).includes(moment.snapshot.context.receipt?.instanceId ?? '?'))
        );
      }),
      leadsTo('a receipt is shown, or a word why not', {
        after: (moment) => askedOf(moment, 'purchaseInfo') !== undefined || askedOf(moment, 'loadSubscription') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('loadingSubscription'),
      }),
    ],
    pii: {
      'receipt.shown': 'the receipt of a gift names its recipient',
      'receipt.printing': 'the receipt stays while it is printed',
    },
    ledOn: { 'receipt.notFound': 'the way to My Library, or to the subscriptions that there are' },
  },
};

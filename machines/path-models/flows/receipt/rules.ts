import type { receiptMachine } from '../../../buying/receipt.ts';
import type { HeldSubscription } from '../../../model/buying/subscription.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import { isMissing } from '../../../ports.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  isSame,
  getSentEvents,
  type MomentOf,
} from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof receiptMachine>();

type Snapshot = MomentOf<typeof receiptMachine>['before'];

const isThanking = (snapshot: Snapshot): boolean => snapshot?.matches('shown') === true || snapshot?.matches('printing') === true;

export const rules: Record<string, MachineRules> = {
  receipt: {
    rules: [
      onlyAfter('nothing is thanked for that the server does not know of', {
        cause: (moment) => getPortOutput(moment, 'purchaseInfo') !== undefined,
        what: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('printing'),
      }),
      onlyAfter('nobody is said to be subscribed whose subscription the server does not know', {
        cause: (moment) => (getPortOutput<HeldSubscription | null>(moment, 'loadSubscription') ?? null) !== null,
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('the subscription that is shown is the one that was answered, and none is said to be missing', (moment) => {
        const held = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        if (held === undefined) return true;
        const { value, context } = moment.snapshot;
        return held === null ? value === 'notFound' : value === 'subscribed' && isSame(context.subscription, held);
      }),
      always('what the address names is asked for, at first and when it is tried again', (moment) => {
        const { isOfPlan, transId } = moment.snapshot.context;
        const asks = moment.before === null || (moment.event.type === 'retry.pressed' && moment.before.matches('failed'));
        const receipt = getPortInput<{ transId: string }>(moment, 'purchaseInfo');
        const isOfPlanAsked = getPortInput(moment, 'loadSubscription') !== undefined;
        if (!asks) return receipt === undefined && !isOfPlanAsked;
        if (isOfPlan) return isOfPlanAsked;
        return transId === '' ? moment.snapshot.matches('notFound') : receipt?.transId === transId;
      }),
      always('what cannot be loaded is said to be missing, or to have failed', (moment) => {
        const problem = getPortProblem(moment, 'purchaseInfo');
        if (problem !== null) return moment.snapshot.value === (isMissing(null, problem) ? 'notFound' : 'failed');
        return getPortProblem(moment, 'loadSubscription') === null || moment.snapshot.matches('failed');
      }),
      invariant('a receipt that is shown is there', ({ context, value }) => {
        return !['shown', 'printing'].includes(value) || context.receipt !== null;
      }),
      always('before anything is answered, nothing is known but what the address says', ({ before, event, snapshot }) => {
        if (before !== null) return true;
        const { params } = (event['input'] as FlowInput).route;
        const { isGift, receipt, subscription, problem } = snapshot.context;
        return isSame([isGift, receipt, subscription, problem], [params['isgift'] === 'true', null, null, null]);
      }),
      always('the server is told whether it was given away', (moment) => {
        const asked = getPortInput<{ isGift: boolean }>(moment, 'purchaseInfo');
        return asked === undefined || asked.isGift === moment.snapshot.context.isGift;
      }),
      always('a receipt that is answered is shown, and ends the failure before it', (moment) => {
        const receipt = getPortOutput(moment, 'purchaseInfo');
        const { value, context } = moment.snapshot;
        return receipt === undefined || isSame([value, context.receipt, context.problem], ['shown', receipt, null]);
      }),
      invariant('a subscription that is shown has no failure', ({ value, context }) => {
        return value !== 'subscribed' || context.problem === null;
      }),
      always('Read opens what was bought, on a page of its own', (moment) => {
        const { event, before, snapshot } = moment;
        if (event.type !== 'read.pressed' || !isThanking(before)) return true;
        const to = `/viewer?instanceid=${snapshot.context.receipt?.instanceId ?? ''}`;
        return snapshot.value === 'shown' && isSame(getSentEvents(moment, 'go'), [{ type: 'go', to, replace: false }]);
      }),
      always('Print opens the dialog of the browser, again where the page still waits for it to close', (moment) => {
        if (moment.event.type !== 'print.pressed' || !isThanking(moment.before)) return true;
        return moment.snapshot.matches('printing') && getPortInput(moment, 'print') !== undefined;
      }),
      always('whether it was printed or not, the receipt is there', (moment) => {
        const isOver = getPortOutput(moment, 'print') !== undefined || getPortProblem(moment, 'print') !== null;
        return !isOver || moment.snapshot.matches('shown');
      }),
      leadsTo('a receipt is shown, or a word why not', {
        after: (moment) =>
          getPortInput(moment, 'purchaseInfo') !== undefined || getPortInput(moment, 'loadSubscription') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('loadingSubscription'),
      }),
    ],
    pii: {
      'receipt.shown': 'the receipt of a gift names its recipient',
      'receipt.printing': 'the receipt stays while it is printed',
    },
    pressable: {
      'receipt.shown': ['read.pressed', 'print.pressed'],
      'receipt.printing': ['read.pressed', 'print.pressed'],
      'receipt.failed': ['retry.pressed'],
    },
    externalExits: { 'receipt.notFound': 'the way to My Library, or to the subscriptions that there are' },
  },
};

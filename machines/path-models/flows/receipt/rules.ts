import type { receiptMachine } from '../../../buying/receipt.ts';
import type { HeldSubscription } from '../../../model/buying/subscription.ts';
import type { FlowInput } from '../../../flows/flow-input.ts';
import { isMissing } from '../../../ports.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof receiptMachine>();

type Snapshot = MomentOf<typeof receiptMachine>['before'];

const showsReceipt = (snapshot: Snapshot): boolean =>
  snapshot?.matches('shown') === true || snapshot?.matches('printing') === true;

export const rules: Record<string, MachineRules> = {
  receipt: {
    rules: [
      onlyAfter('a receipt is shown only after the server has sent one', {
        cause: (moment) => getPortOutput(moment, 'purchaseInfo') !== undefined,
        what: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('printing'),
      }),
      onlyAfter('a subscription is confirmed only after the server has sent it', {
        cause: (moment) => (getPortOutput<HeldSubscription | null>(moment, 'loadSubscription') ?? null) !== null,
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('the subscription of the answer is shown, and an answer without one leads to notFound', (moment) => {
        const output = getPortOutput<HeldSubscription | null>(moment, 'loadSubscription');
        if (output === undefined) return true;
        const { value, context } = moment.snapshot;
        return output === null ? value === 'notFound' : value === 'subscribed' && isSameJson(context.subscription, output);
      }),
      always('the purchase in the URL is requested at the start and on a retry', (moment) => {
        const { isOfPlan, transId } = moment.snapshot.context;
        const mustLoad = moment.before === null || (moment.event.type === 'retry.pressed' && moment.before.matches('failed'));
        const receiptRequest = getPortInput<{ transId: string }>(moment, 'purchaseInfo');
        const isSubscriptionRequested = getPortInput(moment, 'loadSubscription') !== undefined;
        if (!mustLoad) return receiptRequest === undefined && !isSubscriptionRequested;
        if (isOfPlan) return isSubscriptionRequested;
        return transId === '' ? moment.snapshot.matches('notFound') : receiptRequest?.transId === transId;
      }),
      always('a failed request leads to notFound or failed, by its problem', (moment) => {
        const problem = getPortProblem(moment, 'purchaseInfo');
        if (problem !== null) return moment.snapshot.value === (isMissing(null, problem) ? 'notFound' : 'failed');
        return getPortProblem(moment, 'loadSubscription') === null || moment.snapshot.matches('failed');
      }),
      invariant('a shown receipt has its data', ({ context, value }) => {
        return !['shown', 'printing'].includes(value) || context.receipt !== null;
      }),
      always('the initial context has only the parameters of the URL', ({ before, event, snapshot }) => {
        if (before !== null) return true;
        const { params } = (event['input'] as FlowInput).route;
        const { isGift, receipt, subscription, problem } = snapshot.context;
        return isSameJson([isGift, receipt, subscription, problem], [params['isgift'] === 'true', null, null, null]);
      }),
      always('the request for a receipt states whether it is for a gift', (moment) => {
        const input = getPortInput<{ isGift: boolean }>(moment, 'purchaseInfo');
        return input === undefined || input.isGift === moment.snapshot.context.isGift;
      }),
      always('a loaded receipt is shown and clears the earlier problem', (moment) => {
        const receipt = getPortOutput(moment, 'purchaseInfo');
        const { value, context } = moment.snapshot;
        return receipt === undefined || isSameJson([value, context.receipt, context.problem], ['shown', receipt, null]);
      }),
      invariant('a shown subscription has no problem', ({ value, context }) => {
        return value !== 'subscribed' || context.problem === null;
      }),
      always('Read opens the bought copy in the viewer', (moment) => {
        const { event, before, snapshot } = moment;
        if (event.type !== 'read.pressed' || !showsReceipt(before)) return true;
        const to = `/viewer?instanceid=${snapshot.context.receipt?.instanceId ?? ''}`;
        return snapshot.value === 'shown' && isSameJson(getSentEvents(moment, 'go'), [{ type: 'go', to, replace: false }]);
      }),
      always('Print opens the print dialog, even while an earlier one is awaited', (moment) => {
        if (moment.event.type !== 'print.pressed' || !showsReceipt(moment.before)) return true;
        return moment.snapshot.matches('printing') && getPortInput(moment, 'print') !== undefined;
      }),
      always('the receipt is shown after printing, even if printing failed', (moment) => {
        const isPrintOver = getPortOutput(moment, 'print') !== undefined || getPortProblem(moment, 'print') !== null;
        return !isPrintOver || moment.snapshot.matches('shown');
      }),
      leadsTo('a receipt loads or its failure is shown', {
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
    externalExits: { 'receipt.notFound': 'a link leads to My Library or to the subscriptions' },
  },
};

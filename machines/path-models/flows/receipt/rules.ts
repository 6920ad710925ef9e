import type { receiptMachine } from '../../../buying/receipt.ts';
import { answerOf, askedOf, rulesFor, toldOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof receiptMachine>();

export const rules: Record<string, MachineRules> = {
  receipt: {
    rules: [
      onlyAfter('nothing is thanked for that the server does not know of', {
        cause: (moment) => answerOf(moment, 'purchaseInfo') !== undefined,
        what: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('printing'),
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
        after: (moment) => askedOf(moment, 'purchaseInfo') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
    ],
    pii: {
      'receipt.shown': 'the receipt of a gift names its recipient',
      'receipt.printing': 'the receipt stays while it is printed',
    },
    ledOn: { 'receipt.notFound': 'the way to My Library' },
  },
};

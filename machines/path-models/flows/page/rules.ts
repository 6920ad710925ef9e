import type { contentPageMachine } from '../../../browsing/content-page.ts';
import { getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof contentPageMachine>();

export const rules: Record<string, MachineRules> = {
  page: {
    rules: [
      always('a page that is refused as unauthorized, and no other, requests sign-in', (moment) => {
        const isRefused = moment.before?.matches('loading') === true && getPortProblem(moment, 'page')?.kind === 'unauthorized';
        return getSentEvents(moment, 'signIn.needed').length === (isRefused ? 1 : 0);
      }),
      invariant('a shown content page has its content', ({ context, value }) => {
        return !['shown', 'translating'].includes(value) || context.page !== null;
      }),
    ],
    externalExits: {
      'page.forCustomers': 'the app leads to sign-in',
      'page.notFound': 'the link “Back to Home”',
    },
  },
};

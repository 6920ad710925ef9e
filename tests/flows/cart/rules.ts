import type { cartMachine } from '../../../machines/browsing/cart.ts';
import { answerOf, askedOf, rulesFor } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof cartMachine>();

export const rules: Record<string, MachineRules> = {
  cart: {
    rules: [
      invariant('what is shown has titles', (snapshot) => !snapshot.matches('shown') || snapshot.context.entries.length > 0),
      always('what is shown is what the cart holds', (moment) => {
        const entries = answerOf<unknown[]>(moment, 'cartEntries', 'cartEntriesAnew');
        if (entries === undefined) return true;
        if (entries.length === 0) return moment.snapshot.matches('empty');
        return JSON.stringify(moment.snapshot.context.entries) === JSON.stringify(entries);
      }),
      always('what is shown stays when it cannot be asked for anew', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.cartEntriesAnew' || snapshot.matches({ shown: 'resting' });
      }),
      always('what another tab does is asked about', (moment) => {
        const isHeard = moment.event.type === 'cart.changed' && moment.fired.length > 0;
        return !isHeard || (askedOf(moment, 'cartEntries') ?? askedOf(moment, 'cartEntriesAnew')) !== undefined;
      }),
      always('the cart is asked for as whoever is here', (moment) => {
        const asked =
          askedOf<{ signedIn: boolean }>(moment, 'cartEntries') ?? askedOf<{ signedIn: boolean }>(moment, 'cartEntriesAnew');
        return asked === undefined || asked.signedIn === moment.snapshot.context.signedIn;
      }),
      leadsTo('a cart that is asked for is shown, or a word why not', {
        after: (moment) => askedOf(moment, 'cartEntries') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
    ],
  },
};

import type { cartMachine } from '../../../browsing/cart.ts';
import { hasReducedPrices, type LoadedCart } from '../../../model/buying/cart.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof cartMachine>();

const ports = ['cartEntries', 'cartEntriesAnew', 'applyCode', 'removeCode'];
export const rules: Record<string, MachineRules> = {
  cart: {
    rules: [
      invariant('what is shown has titles', (snapshot) => !snapshot.matches('shown') || snapshot.context.entries.length > 0),
      always('what is shown is what the cart holds', (moment) => {
        const read = getPortOutput<LoadedCart>(moment, 'cartEntries', 'cartEntriesAnew', 'applyCode', 'removeCode');
        if (read === undefined) return true;
        const { entries } = read;
        if (entries.length === 0) return moment.snapshot.matches('empty');
        return JSON.stringify(moment.snapshot.context.entries) === JSON.stringify(entries);
      }),
      always('what is shown stays when it cannot be asked for anew', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.cartEntriesAnew' || snapshot.matches({ shown: 'resting' });
      }),
      always('what another tab does is asked about', (moment) => {
        const isHeard = moment.event.type === 'cart.changed' && moment.fired.length > 0;
        return !isHeard || ports.some((port) => getPortInput(moment, port) !== undefined);
      }),
      always('the cart is asked for as whoever is here', (moment) => {
        const asked =
          getPortInput<{ signedIn: boolean }>(moment, 'cartEntries') ??
          getPortInput<{ signedIn: boolean }>(moment, 'cartEntriesAnew');
        return asked === undefined || asked.signedIn === moment.snapshot.context.signedIn;
      }),
      always('a code that is typed is looked up, and what cannot be one is not', (moment) => {
        const { event, before, snapshot } = moment;
        const asked = getPortInput<{ pii: unknown }>(moment, 'applyCode');
        if (before?.matches({ shown: 'resting' }) !== true) return true;
        if (event.type === 'code.submitted') return isSame(asked?.pii, event.pii);
        if (event.type === 'code.rejected') return asked === undefined && snapshot.context.fields === event.fields;
        return asked === undefined;
      }),
      always('a code that takes nothing off leaves the cart as it was, and so does one that cannot be taken away', (moment) => {
        const problem = getPortProblem(moment, 'applyCode') ?? getPortProblem(moment, 'removeCode');
        if (problem === null) return true;
        const { context } = moment.snapshot;
        const isShown = moment.snapshot.matches({ shown: 'resting' });
        return isShown && isSame(context.entries, moment.before?.context.entries) && isSame(context.problem, problem);
      }),
      always('a code is taken away where there is one', (moment) => {
        const { event, before } = moment;
        if (event.type !== 'code.removed' || before?.matches({ shown: 'resting' }) !== true) return true;
        return hasReducedPrices(before.context.entries) === (getPortInput(moment, 'removeCode') !== undefined);
      }),
      invariant('a code that was typed is kept no longer than until it is looked up', (snapshot) => {
        return snapshot.matches({ shown: 'applying' }) === (snapshot.context.pii.form !== null);
      }),
      invariant('what was wrong with a code is forgotten while it is looked up', (snapshot) => {
        const { problem, fields } = snapshot.context;
        return !snapshot.matches({ shown: 'applying' }) || (problem === null && Object.keys(fields).length === 0);
      }),
      leadsTo('a code is answered', {
        after: ({ event }) => event.type === 'code.submitted',
        to: ({ snapshot }) => !snapshot.matches({ shown: 'applying' }),
      }),
      leadsTo('a cart that is asked for is shown, or a word why not', {
        after: (moment) => getPortInput(moment, 'cartEntries') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
    ],
    pii: { 'cart.shown.applying': 'the code is on its way to the server' },
  },
};

import type { cartMachine } from '../../../browsing/cart.ts';
import { hasReducedPrices, type LoadedCart } from '../../../model/buying/cart.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo } = rulesFor<typeof cartMachine>();

const ports = ['cartEntries', 'reloadCartEntries', 'applyCode', 'removeCode'];
export const rules: Record<string, MachineRules> = {
  cart: {
    rules: [
      invariant('a shown cart has titles', (snapshot) => !snapshot.matches('shown') || snapshot.context.entries.length > 0),
      always('the shown titles are those of the server’s answer', (moment) => {
        const loadedCart = getPortOutput<LoadedCart>(moment, 'cartEntries', 'reloadCartEntries', 'applyCode', 'removeCode');
        if (loadedCart === undefined) return true;
        const { entries } = loadedCart;
        if (entries.length === 0) return moment.snapshot.matches('empty');
        return JSON.stringify(moment.snapshot.context.entries) === JSON.stringify(entries);
      }),
      always('a failed reload keeps the shown cart', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.reloadCartEntries' || snapshot.matches({ shown: 'resting' });
      }),
      always('a change in another tab reloads the cart', (moment) => {
        const isReceived = moment.event.type === 'cart.changed' && moment.fired.length > 0;
        return !isReceived || ports.some((port) => getPortInput(moment, port) !== undefined);
      }),
      always('the cart is requested with the current sign-in state', (moment) => {
        const input =
          getPortInput<{ signedIn: boolean }>(moment, 'cartEntries') ??
          getPortInput<{ signedIn: boolean }>(moment, 'reloadCartEntries');
        return input === undefined || input.signedIn === moment.snapshot.context.signedIn;
      }),
      always('a submitted code is looked up, and an invalid one shows its field errors', (moment) => {
        const { event, before, snapshot } = moment;
        const input = getPortInput<{ pii: unknown }>(moment, 'applyCode');
        if (before?.matches({ shown: 'resting' }) !== true) return true;
        if (event.type === 'code.submitted') return isSameJson(input?.pii, event.pii);
        if (event.type === 'code.rejected') return input === undefined && snapshot.context.fields === event.fields;
        return input === undefined;
      }),
      always('a code that cannot be applied or removed leaves the cart as it was and shows its problem', (moment) => {
        const problem = getPortProblem(moment, 'applyCode') ?? getPortProblem(moment, 'removeCode');
        if (problem === null) return true;
        const { context } = moment.snapshot;
        const isShown = moment.snapshot.matches({ shown: 'resting' });
        return isShown && isSameJson(context.entries, moment.before?.context.entries) && isSameJson(context.problem, problem);
      }),
      always('a code is removed only if the cart has one', (moment) => {
        const { event, before } = moment;
        if (event.type !== 'code.removed' || before?.matches({ shown: 'resting' }) !== true) return true;
        return hasReducedPrices(before.context.entries) === (getPortInput(moment, 'removeCode') !== undefined);
      }),
      invariant('a typed code is kept only while it is looked up', (snapshot) => {
        return snapshot.matches({ shown: 'applying' }) === (snapshot.context.pii.form !== null);
      }),
      invariant('no earlier problem is shown while a code is looked up', (snapshot) => {
        const { problem, fields } = snapshot.context;
        return !snapshot.matches({ shown: 'applying' }) || (problem === null && Object.keys(fields).length === 0);
      }),
      leadsTo('every look-up of a code ends', {
        after: ({ event }) => event.type === 'code.submitted',
        to: ({ snapshot }) => !snapshot.matches({ shown: 'applying' }),
      }),
      leadsTo('the cart loads or its failure is shown', {
        after: (moment) => getPortInput(moment, 'cartEntries') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
    ],
    pii: { 'cart.shown.applying': 'the code is on its way to the server' },
  },
};

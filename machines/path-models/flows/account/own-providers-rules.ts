import type { ownProvidersMachine } from '../../../account/own-providers.ts';
import type { OwnProvider } from '../../../model/account/provider.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof ownProvidersMachine>();

/** The rules of an account's identity providers. */
export const ownProvidersRules: MachineRules = {
  rules: [
    leadsTo('the providers load or their failure is shown', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    invariant('a store without providers has an empty list', (snapshot) => {
      return !snapshot.matches('none') || snapshot.context.providers.length === 0;
    }),
    always('the connected providers are those of the server and a telephone that was just confirmed', (moment) => {
      const { event, before, snapshot } = moment;
      const providers =
        getPortOutput<OwnProvider[]>(moment, 'loadProviders') ??
        getPortOutput<OwnProvider[]>(moment, 'removeProvider') ??
        before?.context.providers ??
        [];
      const isByPhone = event.type === 'session.started' && before?.matches('phoning') === true;
      const expected = providers.map((each) =>
        isByPhone && each.id === before.context.chosen ? { ...each, isJoined: true } : each,
      );
      return JSON.stringify(snapshot.context.providers) === JSON.stringify(expected);
    }),
    onlyAfter('a connection starts only after a press on a provider that is not connected', {
      cause: ({ event, before }) =>
        event.type === 'connect.pressed' &&
        before?.context.providers.some(({ id, isJoined }) => id === event['providerId'] && !isJoined) === true,
      what: (moment) => getPortInput(moment, 'startJoining') !== undefined,
      each: true,
    }),
    always('the page is left only for the URL of the server', (moment) => {
      const url = getPortOutput<string | null>(moment, 'startJoining');
      const sentUrls = getSentEvents(moment, 'leave').map(({ url: to }) => to);
      return JSON.stringify(sentUrls) === JSON.stringify(typeof url === 'string' ? [url] : []);
    }),
    always('a connection without a URL opens the phone machine', (moment) => {
      return getPortOutput(moment, 'startJoining') !== null || moment.snapshot.matches('phoning');
    }),
    onlyAfter('a provider is removed only after the customer confirms the question', {
      cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
      what: (moment) => getPortInput(moment, 'removeProvider') !== undefined,
      each: true,
    }),
    always('every request is about the chosen provider', (moment) => {
      const input =
        getPortInput<{ providerId: string }>(moment, 'removeProvider') ??
        getPortInput<{ providerId: string }>(moment, 'startJoining');
      return input === undefined || input.providerId === moment.snapshot.context.chosen;
    }),
    always('a failed request shows its problem', (moment) => {
      const problem = getPortProblem(moment, 'startJoining', 'removeProvider');
      return problem === null || (moment.snapshot.matches('shown') && moment.snapshot.context.problem !== null);
    }),
    always('a notice names the provider that was just connected or removed', (moment) => {
      const { event, before, snapshot } = moment;
      const { notice } = snapshot.context;
      const isConnected = event.type === 'session.started' && before?.matches('phoning') === true;
      const isRemoved = getPortOutput(moment, 'removeProvider') !== undefined;
      if (isConnected || isRemoved)
        return notice?.provider.id === before?.context.chosen && notice?.what === (isConnected ? 'connected' : 'removed');
      return notice === null || notice === before?.context.notice;
    }),
    always('session.started is never sent to the app', (moment) => getSentEvents(moment, 'session.started').length === 0),
    leadsTo('every removal ends', {
      after: ({ snapshot }) => snapshot.matches('removing'),
      to: ({ snapshot }) => snapshot.matches('shown'),
    }),
  ],
  externalExits: { 'ownProviders.leaving': 'the browser shows the service’s page' },
};

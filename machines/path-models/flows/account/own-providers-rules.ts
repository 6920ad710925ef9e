import type { ownProvidersMachine } from '../../../account/own-providers.ts';
import type { OwnProvider } from '../../../model/account/provider.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof ownProvidersMachine>();

/** The rules of an account's identity providers. */
export const ownProvidersRules: MachineRules = {
  rules: [
    leadsTo('the providers come, or a word why not', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    invariant('a store without providers shows nothing of them', (snapshot) => {
      return !snapshot.matches('none') || snapshot.context.providers.length === 0;
    }),
    always('what is connected is what the server has said, or a code that was right', (moment) => {
      const { event, before, snapshot } = moment;
      const told =
        getPortOutput<OwnProvider[]>(moment, 'loadProviders') ??
        getPortOutput<OwnProvider[]>(moment, 'removeProvider') ??
        before?.context.providers ??
        [];
      const isByPhone = event.type === 'session.started' && before?.matches('phoning') === true;
      const expected = told.map((each) => (isByPhone && each.id === before.context.chosen ? { ...each, isJoined: true } : each));
      return JSON.stringify(snapshot.context.providers) === JSON.stringify(expected);
    }),
    onlyAfter('nobody leaves for a provider but by a press, and never for one that is connected', {
      cause: ({ event, before }) =>
        event.type === 'connect.pressed' &&
        before?.context.providers.some(({ id, isJoined }) => id === event['providerId'] && !isJoined) === true,
      what: (moment) => getPortInput(moment, 'startJoining') !== undefined,
      each: true,
    }),
    always('the shop is left for where the server has said', (moment) => {
      const url = getPortOutput<string | null>(moment, 'startJoining');
      const told = getSentEvents(moment, 'leave').map(({ url: to }) => to);
      return JSON.stringify(told) === JSON.stringify(typeof url === 'string' ? [url] : []);
    }),
    always('a telephone is asked for its number, and nobody leaves', (moment) => {
      return getPortOutput(moment, 'startJoining') !== null || moment.snapshot.matches('phoning');
    }),
    onlyAfter('a provider is only parted by a yes to the question', {
      cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
      what: (moment) => getPortInput(moment, 'removeProvider') !== undefined,
      each: true,
    }),
    always('the question is about the one that was pressed, and so is what is done', (moment) => {
      const asked =
        getPortInput<{ providerId: string }>(moment, 'removeProvider') ??
        getPortInput<{ providerId: string }>(moment, 'startJoining');
      return asked === undefined || asked.providerId === moment.snapshot.context.chosen;
    }),
    always('what did not happen is told', (moment) => {
      const problem = getPortProblem(moment, 'startJoining', 'removeProvider');
      return problem === null || (moment.snapshot.matches('shown') && moment.snapshot.context.problem !== null);
    }),
    always('what is said to be done has just been done, to the one that is named', (moment) => {
      const { event, before, snapshot } = moment;
      const { notice } = snapshot.context;
      const isConnected = event.type === 'session.started' && before?.matches('phoning') === true;
      const isRemoved = getPortOutput(moment, 'removeProvider') !== undefined;
      if (isConnected || isRemoved)
        return notice?.provider.id === before?.context.chosen && notice?.what === (isConnected ? 'connected' : 'removed');
      return notice === null || notice === before?.context.notice;
    }),
    always('no other session begins', (moment) => getSentEvents(moment, 'session.started').length === 0),
    leadsTo('every removal is answered', {
      after: ({ snapshot }) => snapshot.matches('removing'),
      to: ({ snapshot }) => snapshot.matches('shown'),
    }),
  ],
  externalExits: { 'ownProviders.leaving': 'the browser shows the service’s page' },
};

import type { ownProvidersMachine } from '../../../account/own-providers.ts';
import type { OwnProvider } from '../../../model/account/provider.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof ownProvidersMachine>();

/** What must hold of the providers of an account. */
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
        answerOf<OwnProvider[]>(moment, 'loadProviders') ??
        answerOf<OwnProvider[]>(moment, 'removeProvider') ??
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
      what: (moment) => askedOf(moment, 'startJoining') !== undefined,
      each: true,
    }),
    always('the shop is left for where the server has said', (moment) => {
      const url = answerOf<string | null>(moment, 'startJoining');
      const told = toldOf(moment, 'leave').map(({ url: to }) => to);
      return JSON.stringify(told) === JSON.stringify(typeof url === 'string' ? [url] : []);
    }),
    always('a telephone is asked for its number, and nobody leaves', (moment) => {
      return answerOf(moment, 'startJoining') !== null || moment.snapshot.matches('phoning');
    }),
    onlyAfter('a provider is only parted by a yes to the question', {
      cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
      what: (moment) => askedOf(moment, 'removeProvider') !== undefined,
      each: true,
    }),
    always('the question is about the one that was pressed, and so is what is done', (moment) => {
      const asked =
        askedOf<{ providerId: string }>(moment, 'removeProvider') ?? askedOf<{ providerId: string }>(moment, 'startJoining');
      return asked === undefined || asked.providerId === moment.snapshot.context.chosen;
    }),
    always('what did not happen is told', (moment) => {
      const problem = failureOf(moment, 'startJoining', 'removeProvider');
      return problem === null || (moment.snapshot.matches('shown') && moment.snapshot.context.problem !== null);
    }),
    always('what is said to be done has just been done, to the one that is named', (moment) => {
      const { event, before, snapshot } = moment;
      const { news } = snapshot.context;
      const isConnected = event.type === 'session.started' && before?.matches('phoning') === true;
      const isRemoved = answerOf(moment, 'removeProvider') !== undefined;
      if (isConnected || isRemoved)
        return news?.provider.id === before?.context.chosen && news?.what === (isConnected ? 'connected' : 'removed');
      return news === null || news === before?.context.news;
    }),
    always('no other session begins', (moment) => toldOf(moment, 'session.started').length === 0),
    leadsTo('every removal is answered', {
      after: ({ snapshot }) => snapshot.matches('removing'),
      to: ({ snapshot }) => snapshot.matches('shown'),
    }),
  ],
  ledOn: { 'ownProviders.leaving': 'the browser shows the service’s page' },
};

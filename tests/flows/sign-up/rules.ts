import type { signUpMachine } from '../../../machines/account/sign-up.ts';
import { answerOf, askedOf, rulesFor, toldOf } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof signUpMachine>();

export const rules: Record<string, MachineRules> = {
  signUp: {
    rules: [
      onlyAfter('nobody is welcomed whom the server has not let in', {
        cause: (moment) => answerOf(moment, 'signUp') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      always('the shop hears who has signed in, and nothing else', (moment) => {
        const customer = answerOf<{ userId: string }>(moment, 'signUp');
        const told = toldOf(moment, 'session.started').map(({ userId }) => userId);
        return JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      always('the server is asked about the form that was sent', (moment) => {
        const asked = askedOf<{ pii: unknown }>(moment, 'signUp');
        return asked === undefined || JSON.stringify(asked.pii) === JSON.stringify(moment.event['pii']);
      }),
      always('a form that is sent is on its way, and one that cannot be right is not', (moment) => {
        const { event, before, snapshot } = moment;
        if (before?.matches('asking') !== true) return true;
        if (event.type === 'signUp.submitted') return askedOf(moment, 'signUp') !== undefined;
        return moment.effects.length === 0 && (event.type !== 'signUp.rejected' || snapshot.context.fields === event['fields']);
      }),
      always('whoever is let in is welcomed', (moment) => {
        return answerOf(moment, 'signUp') === undefined || moment.snapshot.matches('welcomed');
      }),
      always('whoever is not let in is told why', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.signUp' || snapshot.context.problem !== null;
      }),
      invariant('what was wrong with the form is forgotten while it is on its way', ({ value, context }) => {
        return value !== 'checking' || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
      leadsTo('every form is answered', {
        after: ({ event }) => event.type === 'signUp.submitted',
        to: ({ snapshot }) => !snapshot.matches('checking'),
      }),
    ],
    pii: { 'signUp.checking': 'the form is on its way to the server' },
    ledOn: { 'signUp.welcomed': 'the app leads to the page that the customer came from' },
  },
};

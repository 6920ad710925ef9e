import type { sessionMachine, SignedInUser } from '../../../app/session.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, never, onlyAfter } = rulesFor<typeof sessionMachine>();

export const rules: Record<string, MachineRules> = {
  session: {
    rules: [
      invariant('a visitor has no user id and no e-mail address', ({ context, ...snapshot }) => {
        return !snapshot.matches({ open: 'visitor' }) || (context.userId === null && context.pii.email === null);
      }),
      invariant('a signed-in customer has a user id', ({ context, ...snapshot }) => {
        return !snapshot.matches({ open: 'signedIn' }) || (context.userId !== null && context.userId !== '');
      }),
      never('a sign-out ends only after the stored session is cleared', {
        after: ({ event, before }) => event.type === 'signOut.pressed' && before?.matches({ open: 'signedIn' }) === true,
        what: ({ snapshot }) => snapshot.matches({ open: 'visitor' }),
        until: (moment) => getPortOutput(moment, 'forgetSession') !== undefined,
      }),
      always('a sign-out clears the stored session', (moment) => {
        const isPressed = moment.event.type === 'signOut.pressed' && moment.fired.length > 0;
        return !isPressed || getPortInput(moment, 'forgetSession') !== undefined;
      }),
      leadsTo('every sign-out ends in the visitor state', {
        after: ({ event, fired }) => event.type === 'signOut.pressed' && fired.length > 0,
        to: ({ snapshot }) => snapshot.matches({ open: 'visitor' }),
      }),
      leadsTo('every start sends session.changed, whatever the storage answers', {
        after: ({ event }) => event.type === 'xstate.init',
        to: (moment) => getSentEvents(moment, 'session.changed').length > 0,
      }),
      always('every change of the customer sends session.changed with the user id', (moment) => {
        const { before, snapshot } = moment;
        const sentEvent = getSentEvents(moment, 'session.changed').at(-1);
        if (sentEvent) return sentEvent['userId'] === snapshot.context.userId;
        return before === null || before.context.userId === snapshot.context.userId;
      }),
      always('a sign-in here or in another tab sets the customer', ({ event, before, snapshot }) => {
        const isOpen = before?.matches({ open: 'visitor' }) === true || before?.matches({ open: 'signedIn' }) === true;
        const isSignIn = event.type === 'session.startedElsewhere' || event.type === 'session.started';
        return !isOpen || !isSignIn || (snapshot.matches({ open: 'signedIn' }) && snapshot.context.userId === event['userId']);
      }),
      always('a sign-in sets the e-mail address that it brings', ({ event, fired, snapshot }) => {
        const isSignIn = event.type === 'session.startedElsewhere' || event.type === 'session.started';
        return !isSignIn || fired.length === 0 || snapshot.context.pii.email === (event['pii'] as { email: string }).email;
      }),
      always('a sign-out in another tab signs the customer out here', ({ event, before, snapshot }) => {
        const isReceived = event.type === 'session.endedElsewhere' && before?.matches({ open: 'signedIn' }) === true;
        return !isReceived || snapshot.matches({ open: 'visitor' });
      }),
      always('a restored session sets the customer', (moment) => {
        const customer = getPortOutput<SignedInUser | null>(moment, 'restoreSession');
        return customer === undefined || moment.snapshot.context.userId === (customer?.userId ?? null);
      }),
      always('a refused session sends session.changed as ended', (moment) => {
        const isSessionRefused = moment.event.type === 'session.refused' && moment.before?.matches({ open: 'signedIn' }) === true;
        return !isSessionRefused || getSentEvents(moment, 'session.changed').some(({ ended }) => ended === true);
      }),
      always('a cleared session leads to the visitor state at once', (moment) => {
        return getPortOutput(moment, 'forgetSession') === undefined || moment.snapshot.matches({ open: 'visitor' });
      }),
      always('session.changed reports an ended session only if the server refused it', (moment) => {
        return getSentEvents(moment, 'session.changed').every(
          ({ ended }) => ended === false || moment.event.type === 'session.refused',
        );
      }),
      always('a refused session leads to the visitor state', ({ event, fired, snapshot }) => {
        return event.type !== 'session.refused' || fired.length === 0 || snapshot.matches({ open: 'visitor' });
      }),
      onlyAfter('only a restored session or a sign-in leads to the signed-in state', {
        cause: (moment) =>
          ['session.started', 'session.startedElsewhere'].includes(moment.event.type) ||
          (getPortOutput<SignedInUser | null>(moment, 'restoreSession') ?? null) !== null,
        what: ({ snapshot }) => snapshot.matches({ open: 'signedIn' }),
      }),
    ],
    pii: {
      'session.open.signedIn': 'the account menu shows the e-mail address',
      'session.open.leaving': 'the stored session is still being cleared',
    },
  },
};

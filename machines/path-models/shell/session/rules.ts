import type { sessionMachine, SignedInUser } from '../../../app/session.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, never, onlyAfter } = rulesFor<typeof sessionMachine>();

export const rules: Record<string, MachineRules> = {
  session: {
    rules: [
      invariant('who is signed out is nobody', ({ context, ...snapshot }) => {
        return !snapshot.matches({ open: 'visitor' }) || (context.userId === null && context.pii.email === null);
      }),
      invariant('who is signed in is somebody', ({ context, ...snapshot }) => {
        return !snapshot.matches({ open: 'signedIn' }) || (context.userId !== null && context.userId !== '');
      }),
      never('signed out means that no token is kept: nobody is signed out before it was cleared away', {
        after: ({ event, before }) => event.type === 'signOut.pressed' && before?.matches({ open: 'signedIn' }) === true,
        what: ({ snapshot }) => snapshot.matches({ open: 'visitor' }),
        until: (moment) => getPortOutput(moment, 'forgetSession') !== undefined,
      }),
      always('to sign out clears what is stored', (moment) => {
        const isPressed = moment.event.type === 'signOut.pressed' && moment.fired.length > 0;
        return !isPressed || getPortInput(moment, 'forgetSession') !== undefined;
      }),
      leadsTo('who signs out is signed out', {
        after: ({ event, fired }) => event.type === 'signOut.pressed' && fired.length > 0,
        to: ({ snapshot }) => snapshot.matches({ open: 'visitor' }),
      }),
      leadsTo('the shop knows whose session it is, whatever is answered', {
        after: ({ event }) => event.type === 'xstate.init',
        to: (moment) => getSentEvents(moment, 'session.changed').length > 0,
      }),
      always('the shop hears whose session it is whenever that changes', (moment) => {
        const { before, snapshot } = moment;
        const told = getSentEvents(moment, 'session.changed').at(-1);
        if (told) return told['userId'] === snapshot.context.userId;
        return before === null || before.context.userId === snapshot.context.userId;
      }),
      always('whoever signs in, here or in another tab, is who is signed in', ({ event, before, snapshot }) => {
        const isOpen = before?.matches({ open: 'visitor' }) === true || before?.matches({ open: 'signedIn' }) === true;
        const isCome = event.type === 'session.startedElsewhere' || event.type === 'session.started';
        return !isOpen || !isCome || (snapshot.matches({ open: 'signedIn' }) && snapshot.context.userId === event['userId']);
      }),
      always('who comes is called by the address that they come with', ({ event, fired, snapshot }) => {
        const isCome = event.type === 'session.startedElsewhere' || event.type === 'session.started';
        return !isCome || fired.length === 0 || snapshot.context.pii.email === (event['pii'] as { email: string }).email;
      }),
      always('who signs out in another tab is signed out here', ({ event, before, snapshot }) => {
        const isHeard = event.type === 'session.endedElsewhere' && before?.matches({ open: 'signedIn' }) === true;
        return !isHeard || snapshot.matches({ open: 'visitor' });
      }),
      always('a stored session is taken up', (moment) => {
        const customer = getPortOutput<SignedInUser | null>(moment, 'restoreSession');
        return customer === undefined || moment.snapshot.context.userId === (customer?.userId ?? null);
      }),
      always('who is signed out by the server hears of it', (moment) => {
        const isOut = moment.event.type === 'session.refused' && moment.before?.matches({ open: 'signedIn' }) === true;
        return !isOut || getSentEvents(moment, 'session.changed').some(({ ended }) => ended === true);
      }),
      always('who has signed out is a visitor at once', (moment) => {
        return getPortOutput(moment, 'forgetSession') === undefined || moment.snapshot.matches({ open: 'visitor' });
      }),
      always('a session has ended by itself only when the server refused it', (moment) => {
        return getSentEvents(moment, 'session.changed').every(
          ({ ended }) => ended === false || moment.event.type === 'session.refused',
        );
      }),
      always('a session that the server refuses is over', ({ event, fired, snapshot }) => {
        return event.type !== 'session.refused' || fired.length === 0 || snapshot.matches({ open: 'visitor' });
      }),
      onlyAfter('nobody is signed in who was neither stored nor has come', {
        cause: (moment) =>
          ['session.started', 'session.startedElsewhere'].includes(moment.event.type) ||
          (getPortOutput<SignedInUser | null>(moment, 'restoreSession') ?? null) !== null,
        what: ({ snapshot }) => snapshot.matches({ open: 'signedIn' }),
      }),
    ],
    pii: {
      'session.open.signedIn': 'the menu of the account says who is signed in',
      'session.open.leaving': 'until what is stored is cleared away',
    },
  },
};

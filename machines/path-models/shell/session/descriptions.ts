import type { sessionMachine } from '../../../app/session.ts';
import type { Description } from '../../description.ts';

export const sessionDescription = {
  title: 'The session',
  about: 'Has no screen of its own: watch the top bar. Tests that name another tab need two tabs of one browser.',
  states: {
    'session.restoring': 'The shop has just been opened; the app reads the stored session.',
    'session.open.visitor': 'The top bar offers “Sign in”; browser storage holds no id_token.',
    'session.open.signedIn': 'The top bar shows “Signed in as {email}” and offers “Logout”.',
    'session.open.leaving': 'The app deletes token, secret, user id and reader preferences.',
  },
  presses: { 'signOut.pressed': 'Press “Logout”' },
  happens: {
    'session.started': 'A customer signs in',
    'session.startedElsewhere': 'A customer signs in in another tab',
    'session.endedElsewhere': 'The customer signs out in another tab',
    'session.refused': 'The server answers a call with 401',
    'xstate.done.actor.restoreSession': 'Browser storage is read',
    'xstate.error.actor.restoreSession': 'The stored session cannot be used',
    'xstate.done.actor.forgetSession': 'Browser storage is cleared',
  },
  effects: { keepCustomer: 'The top bar names the customer who signed in last.' },
} satisfies Description<typeof sessionMachine>;

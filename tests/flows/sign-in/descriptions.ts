import type { signInMachine } from '../../../machines/account/sign-in.ts';
import type { Description } from '../../support/description.ts';

export const signInDescription = {
  title: 'Signing in',
  about: 'The page /signin.',
  states: {
    'signIn.asking': 'The heading “Sign in” with “Email address”, “Password” and “Remember me”.',
    'signIn.checking': 'The button says “Signing in…” and cannot be pressed.',
    'signIn.welcomed': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from.',
  },
  presses: {
    'signIn.submitted': 'Fill in an e-mail address and a password, then press “Sign in”',
    'signIn.rejected': 'Press “Sign in” with an e-mail address that cannot be one',
  },
  asks: { signIn: 'a session' },
  effects: {
    keepFields: '“This doesn’t look like an email address.” stands beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason stands above the form, and what was typed is still there.',
    reportSession: 'The top bar says who is signed in.',
  },
} satisfies Description<typeof signInMachine>;

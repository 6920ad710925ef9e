import type { resetPasswordMachine } from '../../../account/reset-password.ts';
import type { Description } from '../../description.ts';

export const resetPasswordDescription = {
  title: 'Setting a new password',
  about: 'The page /resetpassword/…, which is linked in an e-mail; /forgotpassword sends one.',
  states: {
    'resetPassword.loading': 'A wait: “Checking your link…”.',
    'resetPassword.loadingWays': 'A wait: “Checking your link…”.',
    'resetPassword.asking':
      'The heading “Set a new password” with “New password”, “New password, once more” and “Save”; if the account has other sign-in methods, “Remove other ways to sign in” with a checkbox for each, already ticked if the URL ends in notme=1.',
    'resetPassword.saving': 'The button says “Saving…” and cannot be pressed.',
    'resetPassword.saved':
      'The heading “Your password has been changed” and “Sign in”. The server no longer accepts the old password.',
    'resetPassword.over': 'The heading “This link no longer works” and “Get a new link”.',
    'resetPassword.failed': 'The heading “We couldn’t check your link”, the reason below it, and “Try again”.',
  },
  presses: {
    'password.submitted':
      'Type a password of at least 8 characters into both fields, tick the sign-in methods to remove, then press “Save”',
    'password.rejected': 'Type two different passwords, then press “Save”',
    'retry.pressed': 'Press “Try again”',
  },
  asks: {
    checkLink: 'its answer whether the link is valid',
    loadResetMethods: 'the account’s other sign-in methods',
    savePassword: 'its confirmation that the password is saved',
  },
  effects: {
    keepFields: '“The two entries don’t match.” is shown beside the second field, which has the focus; nothing is sent.',
    keepProblem: 'A message at the head of the form gives the reason, and the typed text is still there.',
  },
} satisfies Description<typeof resetPasswordMachine>;

import type { forgotPasswordMachine } from '../../../account/forgot-password.ts';
import type { Description } from '../../description.ts';

export const forgotPasswordDescription = {
  title: 'Forgetting a password',
  about: 'The page /forgotpassword. E-mails are in the folder outbox of the data folder, unless a mail server is configured.',
  states: {
    'forgotPassword.asking':
      'The heading “Forgot your password?” with “Email address” and “Send request”; “Secure your account” where the address ends in notme=1.',
    'forgotPassword.sending': 'The button says “Sending…” and cannot be pressed.',
    'forgotPassword.sent':
      'The heading “Check your email”, “Back to sign in” and “Send another”; the screen does not show whether there is such an account.',
  },
  presses: {
    'email.typed': 'Type an e-mail address and go on to the next field',
    'request.submitted': 'Fill in an e-mail address, then press “Send request”',
    'request.rejected': 'Press “Send request” with an invalid e-mail address',
    'again.pressed': 'Press “Send another”',
  },
  asks: { requestLink: 'its confirmation of the request' },
  effects: {
    forwardEmail: 'Nothing yet: “Forgot your password?”, “Create an account” and “Sign in” lead to a form that has the address.',
    keepFields: '“This doesn’t look like an email address.” is shown beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason is shown above the form, and the typed text is still there.',
  },
} satisfies Description<typeof forgotPasswordMachine>;

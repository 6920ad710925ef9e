import type { signUpMachine } from '../../../account/sign-up.ts';
import type { Description } from '../../description.ts';

export const signUpDescription = {
  title: 'Creating an account',
  about: 'The page /signup. A new account is signed in at once.',
  states: {
    'signUp.loading': 'The heading “Create your account” and a wait: “One moment…”.',
    'signUp.failed': 'The heading “We couldn’t load the form”, the reason, and “Try again”.',
    'signUp.asking':
      'The heading “Create your account” with name, e-mail address, password, a field for each of the store’s custom fields, and the agreement.',
    'signUp.checking': 'The button says “Creating your account…” and cannot be pressed.',
    'signUp.welcomed': 'A wait: “Your account is ready. One moment…”, then the page that the customer came from.',
  },
  presses: {
    'email.typed': 'Type an e-mail address and go on to the next field',
    'retry.pressed': 'Press “Try again”',
    'signUp.submitted': 'Fill in every field, tick the agreement, then press “Create account”',
    'signUp.rejected': 'Fill in every field but do not tick the agreement, then press “Create account”',
  },
  happens: {
    leave: 'The customer signs in by a provider',
    'session.started': 'The customer signs in by telephone',
    'page.returned': 'The customer comes back from the provider’s page by the browser’s Back',
  },
  asks: { loadFields: 'the store’s custom fields', signUp: 'the new account and its session' },
  effects: {
    forwardEmail:
      'No visible change: “Forgot your password?”, “Create an account” and “Sign in” lead to a form with the e-mail address.',
    keepFields: '“Please agree to continue.” is shown beside the agreement; nothing is sent.',
    keepProblem: 'The reason is shown above the form, and the typed text is still there.',
    goToProvider: 'The provider’s own page opens.',
    forwardEvent: '“Account” is shown in the top bar instead of “Sign in”.',
    addQuestions: 'The page “Almost there”, with the store’s questions, opens first.',
    sendToProviders: 'Buttons of providers can be pressed again.',
    reportSession: 'The top bar has the menu “Account” in place of “Sign in”; it names the signed-in customer.',
  },
} satisfies Description<typeof signUpMachine>;

import type { providerReturnMachine } from '../../../account/provider-return.ts';
import type { Description } from '../../description.ts';

export const providerReturnDescription = {
  title: 'Coming back from a provider',
  about: 'The page /auth0loginCallback, to which a provider redirects after a sign-in.',
  states: {
    'providerReturn.taking': 'A wait: “Signing you in…”.',
    'providerReturn.finishing': 'A wait: “Signing you in…”.',
    'providerReturn.welcomed': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from.',
    'providerReturn.joining': 'A wait: “Connecting…”.',
    'providerReturn.notJoined': 'The heading “Nothing was connected”, the reason below it, and “Back to your account”.',
    'providerReturn.cancelled': 'The heading “You’re not signed in” and “Back to sign in”.',
    'providerReturn.over': 'The heading “This sign-in is no longer valid” and “Back to sign in”.',
    'providerReturn.passwordNeeded': 'The heading “Please sign in with your password” and “Sign in with a password”.',
    'providerReturn.failed': 'The heading “We couldn’t sign you in”, the reason below it, and “Back to sign in”.',
  },
  presses: { 'again.pressed': 'Press “Back to sign in”, “Sign in with a password”, or “Back to your account”' },
  asks: {
    consumeAnswer: 'the provider’s response',
    finishSignIn: 'a session',
    joinProvider: 'its confirmation that the provider is connected',
  },
  effects: {
    removeQuery: 'The URL no longer has the provider’s parameters.',
    addQuestions: 'The page “Almost there”, with the store’s questions, opens first.',
    reportSession: 'The top bar has the menu “Account” in place of “Sign in”; it names the signed-in customer.',
    goToDestination: 'The page that the customer came from: the account, with the provider connected or not.',
    goSignIn: 'The page /signin, which then leads to the page that the customer requested.',
  },
} satisfies Description<typeof providerReturnMachine>;

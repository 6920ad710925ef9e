import type { signInMachine } from '../../../account/sign-in.ts';
import type { phoneMachine } from '../../../account/phone.ts';
import type { passkeySignInMachine } from '../../../account/passkey-sign-in.ts';
import type { providersMachine } from '../../../account/providers.ts';
import type { Description } from '../../description.ts';

export const signInDescription = {
  title: 'Signing in',
  about: 'The page /signin.',
  states: {
    'signIn.asking':
      'The heading “Sign in” with “Email address”, “Password” and “Remember me”; after a session that has ended, “Your session has ended. Sign in again to pick up where you left off.” above them.',
    'signIn.checking': 'The button says “Signing in…” and cannot be pressed.',
    'signIn.welcomed': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from, or the landing page.',
  },
  presses: {
    'email.typed': 'Type an e-mail address and go on to the next field',
    'signIn.submitted': 'Fill in an e-mail address and a password, then press “Sign in”',
    'signIn.rejected': 'Press “Sign in” with an invalid e-mail address',
  },
  happens: {
    leave: 'The customer signs in by a provider',
    'session.started': 'The customer signs in by telephone, or by a passkey',
    'page.returned': 'The customer comes back from the provider’s page by the browser’s Back',
  },
  asks: { signIn: 'a session' },
  effects: {
    forwardEmail:
      'No visible change: “Forgot your password?”, “Create an account” and “Sign in” lead to a form with the e-mail address.',
    keepFields: '“This doesn’t look like an email address.” is shown beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason is shown above the form, and the typed text is still there.',
    goToProvider: 'The provider’s own page opens.',
    forwardEvent: '“Account” is shown in the top bar instead of “Sign in”.',
    addQuestions: 'The page “Almost there”, with the store’s questions, opens first.',
    sendToProviders: 'Buttons of providers can be pressed again.',
    reportSession: 'The top bar has the menu “Account” in place of “Sign in”; it names the signed-in customer.',
  },
} satisfies Description<typeof signInMachine>;

export const providersDescription = {
  title: 'Signing in by a provider',
  about: 'The buttons below the form of /signin, and below that of /signup, in a store that has providers.',
  states: {
    'providers.loading': 'No buttons yet, only the form above.',
    'providers.none': 'No buttons, only the form above.',
    'providers.offered':
      '“or”, a button “Continue with {name}” for each provider, “Continue with a phone number”, and the terms that the customer agrees to by continuing.',
    'providers.starting': 'The pressed button shows a spinner, and no button can be pressed.',
    'providers.phoning': 'The form for the number, then the form for the code, in place of the buttons.',
    'providers.leaving': 'The same, until the provider’s own page opens.',
  },
  presses: { 'provider.pressed': 'Press “Continue with {name}”, or “Continue with a phone number”' },
  happens: {
    'page.returned': 'The customer comes back from the provider’s page by the browser’s Back',
    'phone.closed': 'The customer cancels the sign-in by telephone',
    'session.started': 'The customer has typed the right code',
  },
  asks: { loadProviders: 'the store’s providers', startSignIn: 'the URL of the provider’s page' },
  effects: {
    keepProblem: 'The reason is shown above the buttons.',
    leave: 'The provider’s own page opens.',
    forwardEvent: 'The top bar has the menu “Account” in place of “Sign in”; it names the signed-in customer.',
  },
} satisfies Description<typeof providersMachine>;

export const phoneDescription = {
  title: 'Signing in by telephone',
  about: 'In place of the providers’ buttons, after a press on “Continue with a phone number”.',
  states: {
    'phone.asking': 'The heading “Sign in with a phone number” with “Phone number”, “Send code” and “Cancel”.',
    'phone.sending': 'The button says “Sending…” and cannot be pressed.',
    'phone.codeAsked':
      '“We’ve texted you a code.”, or “You already have a text message with a valid code (…). Enter that code.”; “Code from the text message” and “Sign in”.',
    'phone.checking': 'The button says “Signing in…” and cannot be pressed.',
    'phone.welcomed': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from.',
  },
  presses: {
    'phone.submitted': 'Type a phone number, then press “Send code”',
    'phone.rejected': 'Press “Send code” without a number',
    'code.submitted': 'Type the code from the message, then press “Sign in”',
    'code.rejected': 'Press “Sign in” without a code',
    'again.pressed': 'Press “Send another code”',
    'cancel.pressed': 'Press “Cancel”',
  },
  asks: { sendCode: 'its confirmation that the code is sent', signInByCode: 'a session' },
  effects: {
    keepFields: '“Please fill in this field.” is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason is shown above the field, and the typed text is still there.',
    reportSession: 'The top bar has the menu “Account” in place of “Sign in”; it names the signed-in customer.',
    close: 'The buttons are shown again.',
  },
} satisfies Description<typeof phoneMachine>;

export const passkeySignInDescription = {
  title: 'Signing in by a passkey',
  about: 'The button below the form of /signin, in a browser that can use passkeys.',
  states: {
    'passkeySignIn.looking': 'No button yet, only the form above.',
    'passkeySignIn.none': 'No button, only the form above.',
    'passkeySignIn.offered':
      'The button “Sign in with a passkey”; a browser with passkey autofill also offers the passkeys of this device in the e-mail address field.',
    'passkeySignIn.waiting': 'The browser asks for a fingerprint, a face or a PIN; the button says “Waiting for your device…”.',
    'passkeySignIn.welcomed': 'The same, until the page that the customer came from opens.',
  },
  presses: { 'passkey.pressed': 'Press “Sign in with a passkey”' },
  happens: { 'xstate.done.actor.canUsePasskeys': 'The browser reports whether it can use passkeys' },
  asks: {
    signInByPasskey: 'a session',
    autofill: 'a session, by the passkey chosen in the e-mail field',
  },
  effects: {
    keepUnoffered: 'No visible change.',
    keepCancelled: '“No passkey was used. Try again, or sign in another way.” is shown below the button.',
    keepProblem: 'The reason is shown below the button.',
    reportSession: 'The top bar names the signed-in customer.',
  },
} satisfies Description<typeof passkeySignInMachine>;

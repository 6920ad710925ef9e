import type { signInMachine } from '../../../machines/account/sign-in.ts';
import type { providersMachine } from '../../../machines/account/providers.ts';
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
  happens: {
    leave: 'The customer signs in by a provider',
    'page.returned': 'The customer comes back from the provider’s page by the browser’s Back',
  },
  asks: { signIn: 'a session' },
  effects: {
    keepFields: '“This doesn’t look like an email address.” stands beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason stands above the form, and what was typed is still there.',
    passOn: 'The provider’s own page.',
    tellProviders: 'Buttons of providers can be pressed again.',
    reportSession: 'The top bar says who is signed in.',
  },
} satisfies Description<typeof signInMachine>;

export const providersDescription = {
  title: 'Signing in by a provider',
  about: 'The buttons below the form of /signin, and below that of /signup, in a store that has providers.',
  states: {
    'providers.loading': 'Nothing yet; the form above is there.',
    'providers.none': 'Nothing; the form above is there.',
    'providers.offered': '“or”, a button “Continue with {name}” for each provider, and what is agreed to by going on.',
    'providers.starting': 'The button that was pressed turns a wheel, and none can be pressed.',
    'providers.leaving': 'The same, until the provider’s own page comes.',
  },
  presses: { 'provider.pressed': 'Press “Continue with {name}”' },
  happens: { 'page.returned': 'The customer comes back from the provider’s page by the browser’s Back' },
  asks: { loadProviders: 'the store’s providers', startSignIn: 'the address of the provider’s page' },
  effects: { keepProblem: 'The reason stands above the buttons.', leave: 'The provider’s own page.' },
} satisfies Description<typeof providersMachine>;

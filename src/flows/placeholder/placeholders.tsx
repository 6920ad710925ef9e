import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { SupportMail } from '../../views/SupportMail.tsx';
import { Redeem } from './Redeem.tsx';
import { ways } from './ways.tsx';

/** What an address is for, and where it leads. */
type Placeholder = { text: (about: { hasSecret: boolean }) => ReactElement; ways: ReactElement[] };

const cart: Placeholder = {
  text: () => <Trans>There is nothing in it. Every title can be bought on its own page.</Trans>,
  ways: [ways.titles, ways.library],
};

const subscription: Placeholder = {
  text: () => <Trans>The page of subscriptions says what one brings, and whether you have one.</Trans>,
  ways: [ways.subscription, ways.library],
};

/** By the name that the address has in the table of routes. */
export const placeholders: Record<string, Placeholder> = {
  forgotpassword: {
    text: () => (
      <>
        <Trans>Write to us from the e-mail address of your account, and we help you to a new password.</Trans> <SupportMail />
      </>
    ),
    ways: [ways.signIn, ways.signUp],
  },
  resetpassword: {
    text: () => (
      <>
        <Trans>
          This address came in a mail about your password. Write to us from the address that the mail went to, and we help you to
          a new one.
        </Trans>{' '}
        <SupportMail />
      </>
    ),
    ways: [ways.signIn],
  },
  redeem: { text: ({ hasSecret }) => <Redeem hasCode={hasSecret} />, ways: [ways.titles, ways.subscription, ways.library] },
  purchase: cart,
  'cart/checkout': cart,
  'cart/purchase/success': {
    text: () => <Trans>What you have bought is in your library; your account says when, and for how much.</Trans>,
    ways: [ways.account, ways.library],
  },
  'subscription/purchase': subscription,
  'subscription/purchase/success': subscription,
  auth0loginCallback: {
    text: () => <Trans>Sign in with the e-mail address and the password of your account.</Trans>,
    ways: [ways.signIn, ways.signUp],
  },
};

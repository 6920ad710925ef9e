import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import type { ProviderWords } from '../../views/ProviderButtons.tsx';
import { problemText } from '../../views/problem-text.ts';
import { OuterLink } from '../../ui/TextLink.tsx';

const phoneTexts: Record<string, ReactElement> = {
  bad_phone: <Trans>This doesn’t look like a phone number. Include the country code, like +44.</Trans>,
  message_not_sent: <Trans>We couldn’t send the message. Try again later, or use your email address and a password.</Trans>,
  code_wrong: <Trans>That code is incorrect. Please try again.</Trans>,
  code_over: <Trans>That code no longer works. Get a new one.</Trans>,
};

const phoneRefusal = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? phoneTexts[problem.code] : undefined) ?? problemText(problem);

/** What is said of the ways in beside the form. */
export const providerWords: ProviderWords = {
  or: <Trans>or</Trans>,
  continueWith: (name) => <Trans>Continue with {name}</Trans>,
  continueByPhone: <Trans>Continue with a phone number</Trans>,
  terms: (
    <Trans>
      By continuing, you agree to the{' '}
      <OuterLink href="/terms" target="_blank" rel="noopener">
        terms of service
      </OuterLink>{' '}
      and the{' '}
      <OuterLink href="/privacy" target="_blank" rel="noopener">
        privacy policy
      </OuterLink>
      .
    </Trans>
  ),
  phone: {
    heading: <Trans>Sign in by phone</Trans>,
    phone: <Trans>Phone number</Trans>,
    hint: <Trans>We’ll text you a code.</Trans>,
    send: <Trans>Send code</Trans>,
    sending: <Trans>Sending…</Trans>,
    sent: <Trans>We’ve texted you a code. It works for ten minutes.</Trans>,
    code: <Trans>Code from the text message</Trans>,
    signIn: <Trans>Sign in</Trans>,
    signingIn: <Trans>Signing in…</Trans>,
    another: <Trans>Send another code</Trans>,
    cancel: <Trans>Cancel</Trans>,
    welcome: <Trans>You’re signed in. One moment…</Trans>,
    refusal: phoneRefusal,
  },
  refusal: (problem) =>
    problem.kind === 'refused' && ['provider_unreachable', 'not_found'].includes(problem.code) ? (
      <Trans>That service isn’t answering. Try again later, or use your email address and a password.</Trans>
    ) : (
      problemText(problem)
    ),
};

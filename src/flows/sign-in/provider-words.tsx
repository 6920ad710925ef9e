import { Trans } from '@lingui/react/macro';
import type { ProviderWords } from '../../views/ProviderButtons.tsx';
import { problemText } from '../../views/problem-text.ts';
import { OuterLink } from '../../ui/TextLink.tsx';

/** What is said of the ways in beside the form. */
export const providerWords: ProviderWords = {
  or: <Trans>or</Trans>,
  continueWith: (name) => <Trans>Continue with {name}</Trans>,
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
  refusal: (problem) =>
    problem.kind === 'refused' && ['provider_unreachable', 'not_found'].includes(problem.code) ? (
      <Trans>That service isn’t answering. Try again later, or use your email address and a password.</Trans>
    ) : (
      problemText(problem)
    ),
};

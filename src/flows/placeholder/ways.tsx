import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';

/** Links that lead on; the first of a page is the one that most will want. */
export const ways = {
  signIn: (
    <ButtonLink key="signIn" href="/signin">
      <Trans>Sign in</Trans>
    </ButtonLink>
  ),
  signUp: (
    <ButtonLink key="signUp" href="/signup" look="outline">
      <Trans>Create an account</Trans>
    </ButtonLink>
  ),
  titles: (
    <ButtonLink key="titles" href="/all">
      <Trans>See all titles</Trans>
    </ButtonLink>
  ),
  library: (
    <ButtonLink key="library" href="/mylibrary" look="outline">
      <Trans>My Library</Trans>
    </ButtonLink>
  ),
  account: (
    <ButtonLink key="account" href="/account">
      <Trans>Account</Trans>
    </ButtonLink>
  ),
  subscription: (
    <ButtonLink key="subscription" href="/subscription" look="outline">
      <Trans>Subscriptions</Trans>
    </ButtonLink>
  ),
} satisfies Record<string, ReactElement>;

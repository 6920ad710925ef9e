import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';

/** Signs out: the sign-in form, where the customer then is, leads back to the account. */
const SignInAgain = (): ReactElement => (
  <EventButton actor={useAppActor()} event={{ type: 'signOut.pressed' }} look="outline">
    <Trans>Sign in again</Trans>
  </EventButton>
);

type RefusedProps = {
  problem: Problem;
  /** Says that this change needs a sign-in of a moment ago. */
  signInAgain: ReactNode;
  /** The reason of every other refusal. */
  children: ReactNode;
};

/** Why a change was not made, with a button where it needs a new sign-in. */
export const Refused = ({ problem, signInAgain, children }: RefusedProps): ReactElement =>
  problem.kind === 'refused' && problem.code === 'sign_in_again' ? (
    <ProblemNotice problem={problem}>
      {signInAgain}
      <SignInAgain />
    </ProblemNotice>
  ) : (
    <ProblemNotice problem={problem}>{children}</ProblemNotice>
  );

import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';

/** Signs out: the sign-in form, where the customer then is, leads back to the account. */
const SignInAgain = (): ReactElement => (
  <EventButton actor={useAppActor()} event={{ type: 'signOut.pressed' }} look="outline">
    <Trans>Sign in again</Trans>
  </EventButton>
);

type RefusedProps = {
  problem: Problem | null;
  /** Says that this change needs a sign-in of a moment ago. */
  signInAgain: ReactNode;
  /** The words for every other refusal. */
  reason?: (problem: Problem) => ReactNode;
};

/** Why a change was not made, with a button where it needs a new sign-in. */
export const Refused = ({ problem, signInAgain, reason = problemText }: RefusedProps): ReactElement | null => {
  if (problem === null) return null;
  if (problem.kind !== 'refused' || problem.code !== 'sign_in_again')
    return <ProblemNotice problem={problem}>{reason(problem)}</ProblemNotice>;
  return (
    <ProblemNotice problem={problem}>
      {signInAgain}
      <SignInAgain />
    </ProblemNotice>
  );
};

/** The same above a list. */
export const RefusedAbove = (props: RefusedProps): ReactElement | null =>
  props.problem && (
    <chakra.div mb={3}>
      <Refused {...props} />
    </chakra.div>
  );

import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';

/** A button that signs out; after the next sign-in, the customer returns to the account. */
const SignInAgain = (): ReactElement => (
  <EventButton actor={useAppActor()} event={{ type: 'signOut.pressed' }} look="outline">
    <Trans>Sign in again</Trans>
  </EventButton>
);

type RefusedProps = {
  problem: Problem | null;
  /** Explains that this change requires a recent sign-in. */
  signInAgain: ReactNode;
  /** The text for every other refusal. */
  reason?: (problem: Problem) => ReactNode;
};

/** Why a change was refused, with a button where it requires a new sign-in. */
export const Refused = ({ problem, signInAgain, reason = formatProblem }: RefusedProps): ReactElement | null => {
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

/** As `Refused`, above a list. */
export const RefusedAbove = (props: RefusedProps): ReactElement | null =>
  props.problem && (
    <chakra.div mb={3}>
      <Refused {...props} />
    </chakra.div>
  );

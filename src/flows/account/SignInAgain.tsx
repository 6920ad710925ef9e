import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';

/** Something needs a sign-in of a moment ago. Signing out here leads to the form, and the form back here. */
export const SignInAgain = ({ problem, children }: { problem: Problem; children: ReactNode }): ReactElement => {
  const app = useAppActor();
  return (
    <ProblemNotice problem={problem}>
      {children}
      <EventButton actor={app} event={{ type: 'signOut.pressed' }} look="outline">
        <Trans>Sign in again</Trans>
      </EventButton>
    </ProblemNotice>
  );
};

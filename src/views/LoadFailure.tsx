import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { Problem } from '../../machines/model/problem.ts';
import { Failed } from '../ui/Message.tsx';
import { EventButton } from '../ui/EventButton.tsx';
import { formatOutage } from './outage-text.tsx';

type LoadFailureProps = {
  /** An actor of a machine that has a `problem` and accepts `retry.pressed`. */
  actor: AnyActorRef;
  heading: ReactNode;
  level?: 1 | 2;
};

const getProblem = ({ context }: AnyMachineSnapshot): Problem | null => (context as { problem: Problem | null }).problem;

/** The failure to load the data of a screen, with the reason and a button to retry. */
export const LoadFailure = ({ actor, heading, level = 1 }: LoadFailureProps): ReactElement => {
  const problem = useSelector(actor, getProblem);
  return (
    <Failed
      level={level}
      heading={heading}
      actions={
        <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
          <Trans>Try again</Trans>
        </EventButton>
      }
    >
      {problem === null ? null : formatOutage(problem)}
    </Failed>
  );
};

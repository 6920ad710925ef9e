import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { Problem } from '../../machines/model/problem.ts';
import { Failed } from '../ui/Message.tsx';
import { EventButton } from '../ui/EventButton.tsx';
import { outageText } from './outage-text.tsx';

type LoadFailureProps = {
  /** Of a machine that keeps a `problem` and takes `retry.pressed`. */
  actor: AnyActorRef;
  heading: ReactNode;
  level?: 1 | 2;
};

const problemOf = ({ context }: AnyMachineSnapshot): Problem | null => (context as { problem: Problem | null }).problem;

/** What a screen is made of did not come: what it was, why, and a way to ask for it again. */
export const LoadFailure = ({ actor, heading, level = 1 }: LoadFailureProps): ReactElement => {
  const problem = useSelector(actor, problemOf);
  return (
    <Failed
      level={level}
      heading={heading}
      actions={
        <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
          <Trans>Retry</Trans>
        </EventButton>
      }
    >
      {problem === null ? null : outageText(problem)}
    </Failed>
  );
};

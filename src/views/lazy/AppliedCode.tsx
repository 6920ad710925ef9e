import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { Status } from '../../ui/Status.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { formatProblem } from '../problem-text.ts';

type Props = Pick<ComponentProps<typeof EventButton>, 'actor'> & {
  /** Whether a code reduces the price. */
  isReduced: boolean;
  /** Why the code could not be removed. */
  problem: Problem | null;
  /** The field for a code, where none is applied. */
  children: ReactNode;
};

/** The notice of an applied code with the button that removes it; else the field for a code. */
export const AppliedCode = ({ actor, isReduced, problem, children }: Props): ReactElement => (
  <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3} data-code>
    {isReduced && problem !== null ? (
      <chakra.div flex="1 1 100%">
        <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>
      </chakra.div>
    ) : null}
    <Status fontWeight={600} color="success">
      {isReduced ? <Trans>Your code has been applied.</Trans> : null}
    </Status>
    {isReduced ? (
      <>
        <EventButton actor={actor} event={{ type: 'code.removed' }} look="outline" size="sm">
          <Trans>Remove the code</Trans>
        </EventButton>
        <span hidden ref={keepFocusInScreen} />
      </>
    ) : (
      <chakra.div flex="1 1 100%">{children}</chakra.div>
    )}
  </chakra.div>
);

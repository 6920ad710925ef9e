import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import { Status } from '../../ui/Status.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { problemText } from '../problem-text.ts';

type Props = Pick<ComponentProps<typeof EventButton>, 'actor'> & {
  /** A code makes the purchase cheaper. */
  isOff: boolean;
  /** Why the code could not be removed. */
  problem: Problem | null;
  /** The field for a code, where none is applied. */
  children: ReactNode;
};

/** The message that a code is applied, and the button that removes it; else the field for one. */
export const AppliedCode = ({ actor, isOff, problem, children }: Props): ReactElement => (
  <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3} data-code>
    {isOff && problem !== null ? (
      <chakra.div flex="1 1 100%">
        <ProblemNotice problem={problem}>{problemText(problem)}</ProblemNotice>
      </chakra.div>
    ) : null}
    <Status fontWeight={600} color="success">
      {isOff ? <Trans>Your code is taken off.</Trans> : null}
    </Status>
    {isOff ? (
      <>
        <EventButton actor={actor} event={{ type: 'code.removed' }} look="outline" size="sm">
          <Trans>Remove the code</Trans>
        </EventButton>
        <span hidden ref={passFocus} />
      </>
    ) : (
      <chakra.div flex="1 1 100%">{children}</chakra.div>
    )}
  </chakra.div>
);

import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { problemText } from '../problem-text.ts';

type Props = Pick<ComponentProps<typeof EventButton>, 'actor' | 'look'> & {
  /** Why the code could not be removed. */
  problem: Problem | null;
};

/** Removes the code that makes a purchase cheaper. */
export const RemoveCode = ({ actor, look, problem }: Props): ReactElement => (
  <>
    {problem === null ? null : <ProblemNotice problem={problem}>{problemText(problem)}</ProblemNotice>}
    <EventButton actor={actor} event={{ type: 'code.removed' }} look={look} size="sm">
      <Trans>Remove the code</Trans>
    </EventButton>
    <span hidden ref={passFocus} />
  </>
);

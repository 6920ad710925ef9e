import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isDeviceOffline, isUnreachable, type Problem } from '../../../machines/model/problem.ts';
import type { interruptionMachine } from '../../../machines/reading/interruption.ts';
import { Box } from '../../ui/chakra.ts';
import { IconButton } from './IconButton.tsx';
import { Pill, PillButton } from './Pill.tsx';
import { formatReadingProblem } from './reading-problem-text.tsx';
import { getStateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof interruptionMachine>;

/** Why the title was interrupted, and whether it resumes automatically. */
const formatInterruption = (problem: Problem): ReactElement => {
  if (isDeviceOffline(problem)) return <Trans>You’re offline. Your title continues once you’re back online.</Trans>;
  if (isUnreachable(problem)) return <Trans>The shop can’t be reached. Your title continues as soon as the shop responds.</Trans>;
  return formatReadingProblem(problem);
};

/**
 * The notice that the title is interrupted. Its element stays mounted, so that screen readers
 * announce it.
 */
export const InterruptionNotice = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  const { value, context } = useSelector(actor, (state) => state);
  const { problem, isHidden } = context;
  return (
    <Box role="status" {...getStateAttributes('interruption', value)} display="grid" justifyItems="center">
      {problem === null || isHidden ? null : (
        <Pill>
          <Box as="span" paddingBlock="8px">
            {formatInterruption(problem)}
          </Box>
          <PillButton
            type="button"
            data-event="continue.pressed"
            // A disabled button would lose the focus at each retry.
            aria-disabled={value === 'trying'}
            onClick={() => actor.send({ type: 'continue.pressed' })}
          >
            <Trans>Try again</Trans>
          </PillButton>
          <IconButton
            icon="close"
            iconSize={18}
            label={t`Close this message`}
            event="interruption.dismissed"
            onClick={() => actor.send({ type: 'interruption.dismissed' })}
          />
        </Pill>
      )}
    </Box>
  );
};

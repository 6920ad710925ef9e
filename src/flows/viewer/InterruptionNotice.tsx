import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isDeviceOffline, isUnreached, type Problem } from '../../../machines/model/problem.ts';
import type { interruptionMachine } from '../../../machines/reading/interruption.ts';
import { Box } from '../../ui/chakra.ts';
import { IconButton } from './IconButton.tsx';
import { Pill, PillButton } from './Pill.tsx';
import { readingProblemText } from './reading-problem-text.tsx';
import { stateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof interruptionMachine>;

/** Why it does not continue, and whether it will by itself. */
const interruptionText = (problem: Problem): ReactElement => {
  if (isDeviceOffline(problem)) return <Trans>You’re offline. Your title continues once you’re back online.</Trans>;
  if (isUnreached(problem)) return <Trans>The shop can’t be reached. Your title continues as soon as the shop answers.</Trans>;
  return readingProblemText(problem);
};

/** Says that the title does not continue. Its element stays for screen readers. */
export const InterruptionNotice = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  const { value, context } = useSelector(actor, (state) => state);
  const { problem, isHidden } = context;
  return (
    <Box role="status" {...stateAttributes('interruption', value)} display="grid" justifyItems="center">
      {problem === null || isHidden ? null : (
        <Pill>
          <Box as="span" paddingBlock="8px">
            {interruptionText(problem)}
          </Box>
          <PillButton
            type="button"
            data-event="continue.pressed"
            // A button that is disabled would lose the focus at each try.
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

import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { use, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { interruptionMachine } from '../../../machines/reading/interruption.ts';
import type { noticesMachine } from '../../../machines/reading/notices.ts';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { Box } from '../../ui/chakra.ts';
import { FailureFoot } from '../../ui/Message.tsx';
import { InterruptionNotice } from './InterruptionNotice.tsx';
import { IconButton } from './IconButton.tsx';
import { Pill, PillButton } from './Pill.tsx';
import { PlaceNotice } from './PlaceNotice.tsx';
import { formatReadingProblem } from './reading-problem-text.tsx';
import { getStateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof noticesMachine>;
type ProgressActor = ActorRefFrom<typeof progressMachine>;
type InterruptionActor = ActorRefFrom<typeof interruptionMachine>;

/** The button back to the place where the customer followed an internal link. */
const BackToPlace = ({ actor, href, page }: { actor: Actor; href: string; page: string | null }): ReactElement => {
  const { t } = useLingui();
  return (
    <Pill>
      <PillButton type="button" data-event="back.pressed" data-value={href} onClick={() => actor.send({ type: 'back.pressed' })}>
        {page === null ? <Trans>Back to where you were</Trans> : <Trans>Back to page {page}</Trans>}
      </PillButton>
      <IconButton
        icon="close"
        iconSize={18}
        label={t`Stay here`}
        event="back.dismissed"
        onClick={() => actor.send({ type: 'back.dismissed' })}
      />
    </Pill>
  );
};

const Skipped = ({ actor, problem }: { actor: Actor; problem: Problem }): ReactElement => {
  const { t } = useLingui();
  return (
    <Pill>
      <Box as="span" paddingBlock="8px">
        <Trans>A chapter was skipped.</Trans> {formatReadingProblem(problem)} {use(FailureFoot)}
      </Box>
      <IconButton
        icon="close"
        iconSize={18}
        label={t`Close this message`}
        event="skipped.dismissed"
        onClick={() => actor.send({ type: 'skipped.dismissed' })}
      />
    </Pill>
  );
};

type Props = { actor: Actor; progress: ProgressActor | undefined; interruption: InterruptionActor | undefined };

/**
 * Messages at the foot of a page. Their element stays mounted, so that screen readers announce
 * them.
 */
export const BookNotices = ({ actor, progress, interruption }: Props): ReactElement => {
  const { value, context } = useSelector(actor, (state) => state);
  const { wayBack, wayBackPage, skipped } = context;
  return (
    <Box
      {...getStateAttributes('notices', value)}
      position="absolute"
      zIndex="2"
      insetInline="8px"
      bottom="2px"
      display="grid"
      justifyItems="center"
      gap="8px"
      pointerEvents="none"
    >
      {interruption === undefined ? null : <InterruptionNotice actor={interruption} />}
      <Box role="status">{skipped === null ? null : <Skipped actor={actor} problem={skipped} />}</Box>
      {wayBack === null ? null : <BackToPlace actor={actor} href={wayBack.href} page={wayBackPage} />}
      {progress === undefined ? null : <PlaceNotice actor={progress} />}
    </Box>
  );
};

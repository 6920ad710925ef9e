import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { interactiveMachine } from '../../../machines/reading/interactive.ts';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { problemText } from '../../views/problem-text.ts';
import type { Offer } from './offer.ts';
import { StageAction, StageMessage } from './StageMessage.tsx';

type Player = ActorRefFrom<typeof bookMachine> | ActorRefFrom<typeof tracksMachine> | ActorRefFrom<typeof interactiveMachine>;
type Props = { actor: Player; offer: Offer };

/** What may be done where a title, or the sample of one, ends. */
export const EndActions = ({ actor, offer }: Props): ReactElement =>
  offer.sample ? (
    <>
      <StageAction event="buy.pressed" main onClick={offer.onBuy}>
        <Trans>Buy the whole title</Trans>
      </StageAction>
      <StageAction event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })}>
        <Trans>See the title</Trans>
      </StageAction>
    </>
  ) : (
    <StageAction event="close.pressed" main onClick={() => actor.send({ type: 'close.pressed' })}>
      <Trans>Back to My Library</Trans>
    </StageAction>
  );

/** Shown where the title ends. */
export const EndMessage = ({ actor, offer }: Props): ReactElement =>
  offer.sample ? (
    <StageMessage title={<Trans>This is where the sample ends</Trans>} actions={<EndActions actor={actor} offer={offer} />}>
      <Trans>The story goes on in the whole title. Your place is kept.</Trans>
    </StageMessage>
  ) : (
    <StageMessage title={<Trans>The end</Trans>} actions={<EndActions actor={actor} offer={offer} />}>
      <Trans>You have come to the end. Turn back at any time.</Trans>
    </StageMessage>
  );

/** Shown when the player gave up; the place is kept and Retry goes on from it. */
export const FailedMessage = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <StageMessage
      role="alert"
      title={<Trans>This title could not be shown</Trans>}
      actions={
        <>
          <StageAction event="retry.pressed" main onClick={() => actor.send({ type: 'retry.pressed' })}>
            <Trans>Try again</Trans>
          </StageAction>
          <StageAction event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })}>
            <Trans>Close</Trans>
          </StageAction>
        </>
      }
    >
      {problem === null ? null : problemText(problem)}
    </StageMessage>
  );
};

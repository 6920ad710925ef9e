import { use, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { Box, chakra } from '../../ui/chakra.ts';
import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { interactiveMachine } from '../../../machines/reading/interactive.ts';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import type { SampleOfferData } from './SampleOffer.tsx';
import { FailureFoot } from '../../ui/Message.tsx';
import { formatReadingProblem } from './reading-problem-text.tsx';

const Action = chakra('button', {
  base: {
    minHeight: '48px',
    padding: '0 24px',
    borderRadius: '999px',
    fontSize: '16px',
    fontWeight: 600,
    cursor: 'pointer',
    border: '1px solid color-mix(in srgb, currentColor 30%, transparent)',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '3px' },
  },
  variants: {
    main: { true: { background: 'var(--ink)', color: 'var(--paper)', borderColor: 'var(--ink)' } },
  },
});

/** A button in a message; `event` is the name of the event that it sends, for tests. */
export const ViewerAction = ({ event, ...buttonProps }: ComponentProps<typeof Action> & { event: string }): ReactElement => (
  <Action type="button" data-event={event} {...buttonProps} />
);

/** A message in the middle of the viewer, over the content. */
export const ViewerMessage = ({
  title,
  children,
  actions,
  role = 'status',
  failure = false,
  level = 2,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'status' | 'alert';
  /** Whether the cause is a failure of the shop, which shows `FailureFoot`. */
  failure?: boolean;
  /** 1 when the message is the whole page. */
  level?: 1 | 2;
}): ReactElement => (
  <Box position="absolute" inset="0" zIndex="1" display="grid" placeItems="center" padding="24px" background="var(--paper)">
    <Box role={role} maxWidth="440px" textAlign="center">
      <Box as={`h${level}`} fontFamily="display" fontSize="clamp(24px, 4vw, 32px)" lineHeight="1.25" textWrap="balance">
        {title}
      </Box>
      {children === undefined ? null : (
        <Box marginTop="12px" fontSize="16px" lineHeight="1.55" color="var(--soft)">
          {children}
        </Box>
      )}
      {actions === undefined ? null : (
        <Box marginTop="28px" display="flex" flexWrap="wrap" justifyContent="center" gap="12px">
          {actions}
        </Box>
      )}
      {failure ? <Box marginTop="20px">{use(FailureFoot)}</Box> : null}
    </Box>
  </Box>
);

/** The spinner during loading; inconspicuous, because loading is usually short. */
export const ViewerWait = ({ children }: { children: ReactNode }): ReactElement => (
  <Box position="absolute" inset="0" zIndex="1" display="grid" placeItems="center" background="var(--paper)">
    <Box
      as="output"
      display="grid"
      justifyItems="center"
      gap="16px"
      color="var(--soft)"
      css={{
        '&::before': {
          content: '""',
          width: '32px',
          height: '32px',
          borderRadius: '50%',
          border: '3px solid color-mix(in srgb, currentColor 25%, transparent)',
          borderTopColor: 'currentColor',
          animation: 'turn 900ms linear infinite',
        },
        '@media (prefers-reduced-motion: reduce)': { '&::before': { animation: 'none' } },
      }}
    >
      {children}
    </Box>
  </Box>
);

type Player = ActorRefFrom<typeof bookMachine> | ActorRefFrom<typeof tracksMachine> | ActorRefFrom<typeof interactiveMachine>;
type Props = { actor: Player; offer: SampleOfferData };

/** The actions at the end of a title or a sample. */
export const EndActions = ({ actor, offer }: Props): ReactElement =>
  offer.sample ? (
    <>
      <ViewerAction event="buy.pressed" main onClick={offer.onBuy}>
        <Trans>Buy the full title</Trans>
      </ViewerAction>
      <ViewerAction event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })}>
        <Trans>See title details</Trans>
      </ViewerAction>
    </>
  ) : (
    <ViewerAction event="close.pressed" main onClick={() => actor.send({ type: 'close.pressed' })}>
      <Trans>Back to My Library</Trans>
    </ViewerAction>
  );

/** The message at the end of a title or a sample. */
export const EndMessage = ({ actor, offer }: Props): ReactElement =>
  offer.sample ? (
    <ViewerMessage title={<Trans>That’s the end of the sample</Trans>} actions={<EndActions actor={actor} offer={offer} />}>
      <Trans>The story continues in the full title. Your place is saved.</Trans>
    </ViewerMessage>
  ) : (
    <ViewerMessage title={<Trans>The end</Trans>} actions={<EndActions actor={actor} offer={offer} />}>
      <Trans>You’ve reached the end. You can go back at any time.</Trans>
    </ViewerMessage>
  );

/**
 * The message when the player has failed. The position is saved, and “Try again” continues from
 * there.
 */
export const FailedMessage = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <ViewerMessage
      role="alert"
      failure
      title={<Trans>We couldn’t show this title</Trans>}
      actions={
        <>
          <ViewerAction event="retry.pressed" main onClick={() => actor.send({ type: 'retry.pressed' })}>
            <Trans>Try again</Trans>
          </ViewerAction>
          <ViewerAction event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })}>
            <Trans>Close</Trans>
          </ViewerAction>
        </>
      }
    >
      {problem === null ? null : formatReadingProblem(problem)}
    </ViewerMessage>
  );
};

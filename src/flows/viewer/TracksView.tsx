import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { Box } from '../../ui/chakra.ts';
import { fieldOf } from './book-keys.ts';
import { holdFocus } from './hold-focus.ts';
import { IconButton } from './IconButton.tsx';
import { EndActions, FailedMessage } from './messages.tsx';
import type { Offer } from './offer.ts';
import { readingCss } from './reading-colors.ts';
import { trackKey } from './track-keys.ts';
import { trackScreenOf, trackScreens } from './track-screens.ts';
import { TrackArt } from './TrackArt.tsx';
import { TrackList } from './TrackList.tsx';
import { Transport } from './Transport.tsx';
import { VideoStage } from './VideoStage.tsx';

/** Beside each other on a wide screen, below each other on a narrow one. */
const columns = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: '24px',
  padding:
    '8px max(20px, env(safe-area-inset-right)) max(24px, env(safe-area-inset-bottom)) max(20px, env(safe-area-inset-left))',
  overflowY: 'auto',
  '@media (min-width: 900px)': {
    '&[data-listed]': { gridTemplateColumns: 'minmax(0, 1fr) minmax(300px, 400px)', overflow: 'hidden' },
    '&[data-listed] > :last-child': { overflowY: 'auto' },
  },
} as const;

type Props = { actor: ActorRefFrom<typeof tracksMachine>; name: string; offer: Offer };

/** Listening or watching: the picture, the buttons below it, the parts beside it. */
export const TracksView = ({ actor, name, offer }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const snapshot = useSelector(actor, (state) => state);
  const { medium, items, itemId } = snapshot.context;
  const { says, button, over } = trackScreens[trackScreenOf(snapshot.value)];
  const video = medium === 'video';
  const listed = items.length > 1;
  const part = items.find((item) => item.id === itemId);

  const onKeyDown = (press: KeyboardEvent) => {
    const event = trackKey(press, { within: fieldOf(press.target), playing: button === 'pause' });
    if (!event || !snapshot.can(event)) return;
    press.preventDefault();
    actor.send(event);
  };

  return (
    <Box
      as="section"
      ref={holdFocus}
      data-flow="tracks"
      data-state={JSON.stringify(snapshot.value)}
      aria-label={name}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      css={{
        ...readingCss(video ? 'dark' : 'light'),
        position: 'absolute',
        inset: 0,
        display: 'grid',
        gridTemplateRows: 'auto minmax(0, 1fr)',
        outline: 'none',
      }}
    >
      <Box as="header" display="flex" alignItems="center" minHeight="52px" padding="env(safe-area-inset-top) 8px 0">
        <IconButton
          icon="close"
          label={t`Close the player`}
          event="close.pressed"
          onClick={() => actor.send({ type: 'close.pressed' })}
        />
        <Box as="h1" flex="1" minWidth="0" paddingRight="44px" fontSize="15px" fontWeight="600" textAlign="center" truncate>
          {name}
        </Box>
      </Box>
      <Box css={columns} data-listed={listed ? '' : undefined}>
        <Box
          display="grid"
          gridTemplateRows={video ? 'minmax(0, 1fr) auto' : 'minmax(0, 520px) auto'}
          alignContent="center"
          gap="20px"
          css={{ minHeight: 'min(560px, 78dvh)', '@media (min-width: 900px)': { minHeight: 0 } }}
          width="100%"
          maxWidth={video ? '1200px' : '520px'}
          marginInline="auto"
        >
          {video ? <VideoStage waiting={over === 'wait'} /> : <TrackArt name={name} />}
          <Box display="grid" gap="12px">
            <Box textAlign="center" minHeight="48px" aria-live="polite">
              <Box fontSize="18px" fontWeight="650">
                {part?.name ?? name}
              </Box>
              <Box fontSize="14px" color="var(--soft)">
                {says === null ? null : i18n._(says)}
              </Box>
            </Box>
            {over === 'end' ? (
              <Box display="flex" flexWrap="wrap" justifyContent="center" gap="12px">
                <EndActions actor={actor} offer={offer} />
              </Box>
            ) : null}
            <Transport actor={actor} button={button} />
          </Box>
        </Box>
        {listed ? <TrackList actor={actor} /> : null}
      </Box>
      {over === 'failed' ? <FailedMessage actor={actor} offer={offer} /> : null}
    </Box>
  );
};

import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { Box } from '../../ui/chakra.ts';
import { fieldOf, trackKey, holdFocus } from './keyboard.ts';
import { IconButton } from './IconButton.tsx';
import { EndActions, FailedMessage, type Offer, ViewerWait } from './ViewerMessage.tsx';
import { readingCss } from './reading-colors.ts';
import { TrackList } from './TrackList.tsx';
import { PlayerControls } from './PlayerControls.tsx';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';

/** Where the film is shown; the engine mounts its element here. The wheel turns on top of the picture. */
const VideoArea = ({ waiting }: { waiting: boolean }): ReactElement => (
  <Box position="relative" minHeight="200px" borderRadius="12px" overflow="hidden" background="#000">
    <Box
      data-mount-point="video"
      position="absolute"
      inset="0"
      css={{ '& video': { width: '100%', height: '100%', objectFit: 'contain', display: 'block' } }}
    />
    {waiting ? (
      <Box position="absolute" inset="0" css={{ '--paper': 'rgb(0 0 0 / 0.35)', '--soft': '#ffffff' }}>
        <ViewerWait>{null}</ViewerWait>
      </Box>
    ) : null}
  </Box>
);

/** A picture for a recording, set from its name as a record sleeve would be. */
const TrackArt = ({ name }: { name: string }): ReactElement => (
  <Box aria-hidden display="grid" placeItems="center" minHeight="0" containerType="size">
    <Box
      width="min(100cqw, 100cqh)"
      aspectRatio="1"
      display="flex"
      alignItems="flex-end"
      padding="9%"
      borderRadius="20px"
      color="#ffffff"
      background="radial-gradient(circle at 78% 20%, color-mix(in oklch, var(--c-colors-accent) 55%, #ffffff) 0 9%, transparent 9.4%), linear-gradient(160deg, var(--c-colors-accent), color-mix(in oklch, var(--c-colors-accent) 45%, #000000))"
      boxShadow="0 24px 60px rgb(0 0 0 / 0.28)"
      fontFamily="display"
      fontSize="clamp(22px, 9cqmin, 44px)"
      lineHeight="1.12"
      overflow="hidden"
    >
      {name}
    </Box>
  </Box>
);

type Value = StateValueFrom<typeof tracksMachine>;
type Attached = Extract<Extract<Value, object>['attached'], string>;
type TrackScreen = Exclude<Extract<Value, string>, 'attached'> | Attached;

const trackScreenOf = (value: Value): TrackScreen =>
  typeof value === 'string' ? (value === 'attached' ? 'opening' : value) : (value.attached ?? 'opening');

type Look = {
  /** What the player says of itself, when the buttons do not say it. */
  says: MessageDescriptor | null;
  /** Whether the big button pauses or plays. */
  button: 'play' | 'pause';
  /** What covers the film or the picture. */
  over: 'nothing' | 'wait' | 'end' | 'failed';
};

/** How each state of the player looks. */
const trackScreens: Record<TrackScreen, Look> = {
  opening: { says: msg`Opening…`, button: 'play', over: 'wait' },
  paused: { says: null, button: 'play', over: 'nothing' },
  playing: { says: null, button: 'pause', over: 'nothing' },
  waiting: { says: msg`Waiting for the network…`, button: 'pause', over: 'wait' },
  blocked: { says: msg`Press Play to start.`, button: 'play', over: 'nothing' },
  ended: { says: msg`The end`, button: 'play', over: 'end' },
  failed: { says: null, button: 'play', over: 'failed' },
  closing: { says: msg`Saving your place…`, button: 'play', over: 'wait' },
  closed: { says: null, button: 'play', over: 'wait' },
};

/** Side by side on a wide screen, one below the other on a narrow one. */
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
          {video ? <VideoArea waiting={over === 'wait'} /> : <TrackArt name={name} />}
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
            <PlayerControls actor={actor} button={button} />
          </Box>
        </Box>
        {listed ? <TrackList actor={actor} /> : null}
      </Box>
      {over === 'failed' ? <FailedMessage actor={actor} offer={offer} /> : null}
    </Box>
  );
};

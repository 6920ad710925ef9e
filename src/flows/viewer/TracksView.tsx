import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type KeyboardEvent, type ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { interruptionMachine } from '../../../machines/reading/interruption.ts';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { Box, type Style } from '../../ui/chakra.ts';
import { getCaptions } from './captions.ts';
import { getFocusKind, toTrackEvent, holdFocus } from './keyboard.ts';
import { InterruptionNotice } from './InterruptionNotice.tsx';
import { IconButton } from './IconButton.tsx';
import { PlaceNotice } from './PlaceNotice.tsx';
import { BarTitle, type SampleOfferData } from './SampleOffer.tsx';
import { createFullScreenStyle, landscapePhone, TrackArt, VideoArea } from './TrackPicture.tsx';
import { EndActions, FailedMessage } from './ViewerMessage.tsx';
import { createReadingCss } from './reading-colors.ts';
import { TrackList } from './TrackList.tsx';
import { PlayerControls } from './PlayerControls.tsx';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { getStateAttributes } from '../../views/state-name.ts';

type Value = StateValueFrom<typeof tracksMachine>;
type AttachedState = Extract<Extract<Value, object>['attached'], string>;
type TrackScreen = Exclude<Extract<Value, string>, 'attached'> | AttachedState;

const getScreenName = (value: Value): TrackScreen =>
  typeof value === 'string' ? (value === 'attached' ? 'opening' : value) : (value.attached ?? 'opening');

type TrackScreenLook = {
  /** A status text, where the buttons do not show the status. */
  statusText: MessageDescriptor | null;
  /** The action of the big button. */
  button: 'play' | 'pause';
  /** The kind of overlay on the film or picture. */
  overlay: 'nothing' | 'wait' | 'end' | 'failed';
};

/** The look of each player state. */
const trackScreens: Record<TrackScreen, TrackScreenLook> = {
  opening: { statusText: msg`Opening…`, button: 'play', overlay: 'wait' },
  paused: { statusText: null, button: 'play', overlay: 'nothing' },
  playing: { statusText: null, button: 'pause', overlay: 'nothing' },
  waiting: { statusText: msg`Waiting for the network…`, button: 'pause', overlay: 'wait' },
  blocked: { statusText: msg`Press Play to start.`, button: 'play', overlay: 'nothing' },
  ended: { statusText: msg`The end`, button: 'play', overlay: 'end' },
  failed: { statusText: null, button: 'play', overlay: 'failed' },
  leaving: { statusText: msg`Saving your place…`, button: 'play', overlay: 'wait' },
  closing: { statusText: msg`Saving your place…`, button: 'play', overlay: 'wait' },
  closed: { statusText: null, button: 'play', overlay: 'wait' },
};

/** The picture and the list, side by side on a wide screen, stacked on a narrow one. */
const columnsStyle: Style = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: '24px',
  padding:
    '8px max(20px, env(safe-area-inset-right)) max(24px, env(safe-area-inset-bottom)) max(20px, env(safe-area-inset-left))',
  overflowY: 'auto',
  // The list scrolls to the current part while the buttons above it stay.
  '@media (max-width: 899px) and (min-height: 521px)': {
    '&[data-listed]': { gridTemplateRows: 'auto max-content' },
    '& > nav:not(:popover-open)': { maxHeight: '70dvh', overflowY: 'auto' },
  },
  '@media (min-width: 900px)': {
    '&[data-listed]': { gridTemplateColumns: 'minmax(0, 1fr) minmax(300px, 400px)', overflow: 'hidden' },
    '&[data-listed] > :last-child': { overflowY: 'auto' },
  },
};
const soundColumnsStyle: Style = {
  ...columnsStyle,
  [landscapePhone]: {
    padding: '0 max(20px, env(safe-area-inset-right)) max(8px, env(safe-area-inset-bottom)) max(20px, env(safe-area-inset-left))',
    '&[data-listed]': { gridTemplateColumns: 'minmax(0, 1fr) minmax(200px, 30%)', overflow: 'hidden' },
    '&[data-listed] > :last-child': { overflowY: 'auto' },
  },
};
const filmColumnsStyle: Style = {
  ...columnsStyle,
  ...createFullScreenStyle({
    display: 'block',
    position: 'absolute',
    inset: '0',
    padding: '0',
    overflow: 'hidden',
    // The picture uses the whole window; a button of the bar opens the list.
    '& > nav:not(:popover-open)': { display: 'none' },
  }),
};

/** The cover above the buttons; beside them in a low window. */
const soundStageStyle: Style = {
  gridTemplateRows: 'minmax(0, 520px) auto',
  maxWidth: '520px',
  minHeight: 'min(620px, 84dvh)',
  '@media (min-width: 900px)': { minHeight: 0 },
  [landscapePhone]: {
    gridTemplateRows: 'minmax(0, 1fr)',
    gridTemplateColumns: 'minmax(120px, 30%) minmax(0, 1fr)',
    alignItems: 'center',
    maxWidth: '720px',
    minHeight: 0,
    '& > *': { maxHeight: '100%' },
    '& > :first-of-type': { height: '100%' },
  },
};
const filmStageStyle: Style = {
  gridTemplateRows: 'minmax(0, 1fr) auto',
  maxWidth: '1200px',
  minHeight: 'min(560px, 78dvh)',
  '@media (min-width: 900px)': { minHeight: 0 },
  ...createFullScreenStyle({ position: 'absolute', inset: '0', display: 'block', maxWidth: 'none', minHeight: 0 }),
};

/** A bar over the film's picture, hidden while the customer is inactive. */
const createBarStyle = (edge: 'top' | 'bottom'): Style =>
  createFullScreenStyle({
    position: 'absolute',
    insetInline: '0',
    ...(edge === 'top' ? { top: 0 } : { bottom: 0 }),
    zIndex: 1,
    paddingInline: 'max(16px, env(safe-area-inset-left)) max(16px, env(safe-area-inset-right))',
    ...(edge === 'top'
      ? { paddingBottom: '16px' }
      : { paddingTop: '32px', paddingBottom: 'max(12px, env(safe-area-inset-bottom))' }),
    background: `linear-gradient(to ${edge}, transparent, rgb(0 0 0 / 0.72) 60%)`,
    color: '#ffffff',
    '--soft': '#e2dfda',
    transition: 'opacity 200ms',
    '[data-idle] &': { '&:not(:has(:focus-visible))': { opacity: 0, pointerEvents: 'none' } },
  });

type Props = { actor: ActorRefFrom<typeof tracksMachine>; name: string; offer: SampleOfferData };

/**
 * The player of a recording or film: the picture, the buttons below it, and the list of parts
 * beside it.
 */
export const TracksView = ({ actor, name, offer }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const snapshot = useSelector(actor, (state) => state);
  const { medium, items, itemId, about, playback } = snapshot.context;
  const progress = snapshot.children['progress'] as ActorRefFrom<typeof progressMachine> | undefined;
  const interruption = snapshot.children['interruption'] as ActorRefFrom<typeof interruptionMachine> | undefined;
  const isInterrupted = useSelector(interruption, (state) => (state?.context.problem ?? null) !== null);
  const screen = getScreenName(snapshot.value);
  const { statusText, button, overlay } = trackScreens[screen];
  const isFilm = medium === 'video';
  const hasList = items.some(({ chapters = [] }) => items.length > 1 || chapters.length > 1);
  const listId = useId();
  const currentItem = items.find((item) => item.id === itemId);

  const send = (event: Parameters<typeof actor.send>[0]) => {
    if (snapshot.can(event)) actor.send(event);
  };
  const onKeyDown = (keyPress: KeyboardEvent) => {
    const event = toTrackEvent(keyPress, {
      within: getFocusKind(keyPress.target),
      playing: button === 'pause',
      volume: playback.muted ? 0 : playback.volume,
      captionsNext: getCaptions(snapshot.context, i18n.locale).next,
      film: isFilm,
    });
    if (!event || !snapshot.can(event)) return;
    keyPress.preventDefault();
    actor.send(event);
  };

  return (
    <Box
      as="section"
      ref={holdFocus}
      {...getStateAttributes('tracks', snapshot.value)}
      aria-label={name}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      css={{
        ...createReadingCss(isFilm ? 'dark' : 'light'),
        position: 'absolute',
        inset: 0,
        display: 'grid',
        // A long name in the bar must not widen the layout.
        gridTemplateColumns: 'minmax(0, 1fr)',
        gridTemplateRows: 'auto minmax(0, 1fr)',
        outline: 'none',
        '&[data-idle]': { cursor: 'none' },
      }}
    >
      <Box
        as="header"
        display="flex"
        alignItems="center"
        minHeight="52px"
        padding="env(safe-area-inset-top) 8px 0"
        css={isFilm ? createBarStyle('top') : {}}
      >
        <IconButton
          icon="close"
          label={t`Close the player`}
          event="close.pressed"
          onClick={() => actor.send({ type: 'close.pressed' })}
        />
        <BarTitle name={name} offer={offer} balance={{ paddingRight: '44px' }} />
        {isFilm && hasList ? (
          <Box display="none" css={createFullScreenStyle({ display: 'block' })}>
            <IconButton icon="contents" label={t`Parts`} popoverTarget={listId} />
          </Box>
        ) : null}
      </Box>
      <Box css={isFilm ? filmColumnsStyle : soundColumnsStyle} data-listed={hasList ? '' : undefined}>
        <Box
          display="grid"
          alignContent="center"
          gap="20px"
          width="100%"
          marginInline="auto"
          css={isFilm ? filmStageStyle : soundStageStyle}
        >
          {isFilm ? (
            <VideoArea
              waiting={overlay === 'wait'}
              onPress={() => send({ type: `${button}.pressed` })}
              onDoublePress={() => send({ type: 'fullScreen.pressed' })}
            />
          ) : (
            <TrackArt about={about} />
          )}
          <Box data-bar display="grid" gap="12px" css={isFilm ? createBarStyle('bottom') : { [landscapePhone]: { gap: '0' } }}>
            <Box
              textAlign="center"
              minHeight="48px"
              aria-live="polite"
              css={isFilm ? createFullScreenStyle({ minHeight: '0', '& > :first-of-type': { display: 'none' } }) : {}}
            >
              <Box fontSize="18px" fontWeight="650">
                {currentItem?.name ?? name}
              </Box>
              <Box fontSize="14px" color="var(--soft)">
                {statusText === null || (isInterrupted && screen === 'waiting') ? null : i18n._(statusText)}
              </Box>
            </Box>
            {overlay === 'end' ? (
              <Box display="flex" flexWrap="wrap" justifyContent="center" gap="12px">
                <EndActions actor={actor} offer={offer} />
              </Box>
            ) : null}
            {interruption === undefined ? null : <InterruptionNotice actor={interruption} />}
            {progress === undefined ? null : <PlaceNotice actor={progress} />}
            <PlayerControls actor={actor} button={button} />
          </Box>
        </Box>
        {hasList ? <TrackList actor={actor} drawerId={isFilm ? listId : undefined} /> : null}
      </Box>
      {overlay === 'failed' ? <FailedMessage actor={actor} offer={offer} /> : null}
    </Box>
  );
};

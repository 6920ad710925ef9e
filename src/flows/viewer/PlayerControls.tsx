import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { getLanguageName } from '../../brand/facts.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { getCaptions } from './captions.ts';
import { CommitRange } from './CommitRange.tsx';
import { IconButton, ReaderIcon } from './IconButton.tsx';
import { skipBackSeconds, skipForwardSeconds } from './keyboard.ts';

const speeds = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const Select = chakra('select', {
  base: {
    minWidth: 0,
    maxWidth: '132px',
    height: '44px',
    padding: '0 10px',
    borderRadius: '12px',
    border: '1px solid color-mix(in srgb, currentColor 24%, transparent)',
    background: 'var(--panel)',
    color: 'var(--ink)',
    fontSize: '15px',
    cursor: 'pointer',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px' },
  },
});

type SpeedSelectProps = { rate: number; disabled: boolean; onChoose: (rate: number) => void };

/** The select for the playback speed. */
const SpeedSelect = ({ rate, disabled, onChoose }: SpeedSelectProps): ReactElement => {
  const { t, i18n } = useLingui();
  const offeredSpeeds = speeds.includes(rate) ? speeds : [...speeds, rate].toSorted((a, b) => a - b);
  return (
    <Select
      value={rate}
      disabled={disabled}
      data-event="rate.chosen"
      aria-label={t`Speed`}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {offeredSpeeds.map((speed) => (
        <option key={speed} value={speed}>
          {i18n.number(speed, { maximumFractionDigits: 2 })}×
        </option>
      ))}
    </Select>
  );
};

const PlayButton = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '72px',
    height: '72px',
    borderRadius: '50%',
    background: 'var(--ink)',
    color: 'var(--paper)',
    cursor: 'pointer',
    transition: 'transform 120ms',
    _hover: { transform: 'scale(1.04)' },
    _focusVisible: { outline: '2px solid var(--ink)', outlineOffset: '4px' },
    _disabled: { opacity: 0.4, cursor: 'default', transform: 'none' },
  },
});

type PlayerControlsProps = { actor: ActorRefFrom<typeof tracksMachine>; button: 'play' | 'pause' };

/**
 * The mute button, and a volume slider except on touch devices, which have hardware keys for the
 * volume.
 */
const VolumeControl = ({ actor }: { actor: PlayerControlsProps['actor'] }): ReactElement => {
  const { t, i18n } = useLingui();
  const { volume, muted } = useSelector(actor, (state) => state.context.playback);
  const canChangeVolume = useSelector(actor, (state) => state.can({ type: 'mute.pressed' }));
  const audibleVolume = muted ? 0 : volume;
  return (
    <Box display="flex" alignItems="center" minWidth="0">
      <IconButton
        icon={muted ? 'muted' : 'volume'}
        label={muted ? t`Unmute` : t`Mute`}
        shortcut="M"
        event="mute.pressed"
        disabled={!canChangeVolume}
        onClick={() => actor.send({ type: 'mute.pressed' })}
      />
      <Box display="flex" width="72px" css={{ '@media (hover: none)': { display: 'none' } }}>
        <CommitRange
          min={0}
          max={1}
          step={0.05}
          currentValue={audibleVolume}
          disabled={!canChangeVolume}
          data-event="volume.chosen"
          aria-label={t`Volume`}
          aria-valuetext={i18n.number(audibleVolume, { style: 'percent' })}
          aria-keyshortcuts="ArrowUp ArrowDown"
          height="32px"
          onCommit={(newVolume) => actor.send({ type: 'volume.chosen', volume: newVolume })}
        />
      </Box>
    </Box>
  );
};

/**
 * The button that switches a film's captions on and off, and the select for their language if there
 * are several.
 */
const CaptionsControl = ({ actor }: { actor: PlayerControlsProps['actor'] }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const context = useSelector(actor, (state) => state.context);
  const canChooseCaptions = useSelector(actor, (state) => state.can({ type: 'captions.chosen', language: '' }));
  const { offered, shown, next } = getCaptions(context, i18n.locale);
  if (next === null) return null;
  const choose = (language: string) => actor.send({ type: 'captions.chosen', language });
  return (
    <>
      <IconButton
        icon="captions"
        label={t`Captions`}
        shortcut="C"
        event="captions.chosen"
        data-value={next}
        aria-pressed={shown !== null}
        disabled={!canChooseCaptions}
        onClick={() => choose(next)}
      />
      {offered.length > 1 && shown !== null ? (
        <Select
          value={shown.language}
          disabled={!canChooseCaptions}
          data-event="captions.chosen"
          aria-label={t`Language of the captions`}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {offered.map(({ language }) => (
            <option key={language} value={language}>
              {getLanguageName(language, language)}
            </option>
          ))}
        </Select>
      ) : null}
    </>
  );
};

const FullScreenButton = ({ actor }: { actor: PlayerControlsProps['actor'] }): ReactElement => {
  const { t } = useLingui();
  const fullScreen = useSelector(actor, (state) => state.context.fullScreen);
  const canToggleFullScreen = useSelector(actor, (state) => state.can({ type: 'fullScreen.pressed' }));
  return (
    <IconButton
      icon={fullScreen ? 'window' : 'fullScreen'}
      label={fullScreen ? t`Leave full screen` : t`Full screen`}
      shortcut="F"
      event="fullScreen.pressed"
      disabled={!canToggleFullScreen}
      onClick={() => actor.send({ type: 'fullScreen.pressed' })}
    />
  );
};

/** The controls in one row; in a narrow container, with the main buttons above the others. */
const Row = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateAreas: '"start middle end"',
    gridTemplateColumns: '1fr auto 1fr',
    alignItems: 'center',
    gap: '8px',
    marginTop: '8px',
    '& > *': { display: 'flex', alignItems: 'center', minWidth: 0 },
    '@container (max-width: 620px)': { gridTemplateAreas: '"middle middle" "start end"', gridTemplateColumns: 'auto auto' },
  },
});

/**
 * The player's buttons and clock. The engine writes the slider's value, its maximum and the two
 * texts by `data-clock`, many times a second, without the machine or React.
 */
export const PlayerControls = ({ actor, button }: PlayerControlsProps): ReactElement => {
  const { t } = useLingui();
  const { medium, items, itemId, playback } = useSelector(actor, (state) => state.context);
  const canSeek = useSelector(actor, (state) => state.can({ type: 'skip.pressed', seconds: 0 }));
  const canPress = useSelector(actor, (state) => state.can({ type: `${button}.pressed` }));
  const duration = items.find((item) => item.id === itemId)?.durationSeconds ?? 0;
  const press = () => actor.send({ type: `${button}.pressed` });
  const skip = (seconds: number) => actor.send({ type: 'skip.pressed', seconds });
  return (
    <Box width="100%" containerType="inline-size">
      <CommitRange
        min={0}
        max={duration}
        step="any"
        defaultValue={0}
        disabled={!canSeek}
        data-clock="slider"
        data-event="seek.chosen"
        aria-label={t`Playback position`}
        height="32px"
        onCommit={(seconds) => actor.send({ type: 'seek.chosen', seconds })}
      />
      <Box display="flex" justifyContent="space-between" fontSize="13px" color="var(--soft)" fontVariantNumeric="tabular-nums">
        <span data-clock="elapsed" />
        <span data-clock="left" />
      </Box>
      <Row>
        <Box gridArea="start" gap="4px">
          <SpeedSelect
            rate={playback.rate}
            disabled={!canSeek}
            onChoose={(newRate) => actor.send({ type: 'rate.chosen', rate: newRate })}
          />
          <CaptionsControl actor={actor} />
        </Box>
        <Box gridArea="middle" justifyContent="center" gap="clamp(8px, 3vw, 20px)">
          <IconButton
            icon="back"
            iconSize={28}
            label={t`Back 15 seconds`}
            shortcut="ArrowLeft"
            event="skip.pressed"
            data-value={skipBackSeconds}
            disabled={!canSeek}
            onClick={() => skip(skipBackSeconds)}
          >
            15
          </IconButton>
          <PlayButton
            type="button"
            data-event={`${button}.pressed`}
            aria-label={button === 'play' ? t`Play` : t`Pause`}
            aria-keyshortcuts="K Space"
            disabled={!canPress}
            onClick={press}
          >
            <ReaderIcon name={button} size={32} />
          </PlayButton>
          <IconButton
            icon="forward"
            iconSize={28}
            label={t`Forward 30 seconds`}
            shortcut="ArrowRight"
            event="skip.pressed"
            data-value={skipForwardSeconds}
            disabled={!canSeek}
            onClick={() => skip(skipForwardSeconds)}
          >
            30
          </IconButton>
        </Box>
        <Box gridArea="end" justifyContent="flex-end">
          <VolumeControl actor={actor} />
          {medium === 'video' ? <FullScreenButton actor={actor} /> : null}
        </Box>
      </Row>
    </Box>
  );
};

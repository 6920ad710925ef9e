import type { ReactElement } from 'react';
import type { RecordingInfo } from '../../../machines/model/reading/reading.ts';
import { Box, chakra, type Style } from '../../ui/chakra.ts';
import { ViewerWait } from './ViewerMessage.tsx';

/**
 * A phone in landscape. There, as in full screen, the film fills the window and the bars overlay
 * the picture.
 */
export const landscapePhone = '@media (max-height: 520px) and (orientation: landscape)';
export const createFullScreenStyle = (style: Style): Style => ({ [landscapePhone]: style, ':fullscreen &': style });

/**
 * The film's area, in which the engine mounts its element. While it waits, a spinner is shown on
 * top of the picture.
 */
export const VideoArea = ({ waiting, onPress, onDoublePress }: VideoAreaProps): ReactElement => (
  <Box
    position="relative"
    minHeight="200px"
    borderRadius="12px"
    overflow="hidden"
    background="#000"
    css={createFullScreenStyle({ position: 'absolute', inset: '0', borderRadius: '0' })}
  >
    <Box
      data-mount-point="video"
      position="absolute"
      inset="0"
      // The buttons below do the same for the keyboard.
      onClick={onPress}
      onDoubleClick={onDoublePress}
      css={{
        '& video': { width: '100%', height: '100%', objectFit: 'contain', display: 'block' },
        // While the bar overlays the picture, the captions are above the bar.
        ...createFullScreenStyle({ '& video::-webkit-media-text-track-container': { transform: 'translateY(-168px)' } }),
        '[data-idle] &': { '& video::-webkit-media-text-track-container': { transform: 'none' } },
      }}
    />
    {waiting ? (
      <Box position="absolute" inset="0" pointerEvents="none" css={{ '--paper': 'rgb(0 0 0 / 0.35)', '--soft': '#ffffff' }}>
        <ViewerWait>{null}</ViewerWait>
      </Box>
    ) : null}
  </Box>
);
type VideoAreaProps = { waiting: boolean; onPress: () => void; onDoublePress: () => void };

/** A generated picture with the recording's name, for a recording without a cover. */
const Sleeve = ({ name }: { name: string }): ReactElement => (
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
);

/** The recording's cover, or a generated picture without one, as large as possible. */
export const TrackArt = ({ about: { name, cover } }: { about: RecordingInfo }): ReactElement => (
  <Box aria-hidden display="grid" placeItems="center" minHeight="0" minWidth="0" containerType="size">
    {cover === null ? (
      <Sleeve name={name} />
    ) : (
      <chakra.img
        src={cover.url}
        alt=""
        maxWidth="100cqw"
        objectFit="contain"
        borderRadius="12px"
        boxShadow="0 16px 48px rgb(0 0 0 / 0.28)"
        style={{
          background: cover.color,
          height: `min(100cqh, 100cqw * ${getHeightPerWidth(cover)})`,
          aspectRatio: 1 / getHeightPerWidth(cover),
        }}
      />
    )}
  </Box>
);

const getHeightPerWidth = ({ width, height }: { width: number; height: number }): number =>
  width > 0 && height > 0 ? height / width : 1.5;

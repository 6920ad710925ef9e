import type { ReactElement } from 'react';
import type { AboutRecording } from '../../../machines/model/reading/reading.ts';
import { Box, chakra, type Style } from '../../ui/chakra.ts';
import { ViewerWait } from './ViewerMessage.tsx';

/** A telephone on its side, or the whole screen: the film fills it, and the bars lie over the picture. */
export const onItsSide = '@media (max-height: 520px) and (orientation: landscape)';
export const cinema = (style: Style): Style => ({ [onItsSide]: style, ':fullscreen &': style });

/** Where the film is shown; the engine mounts its element here. The wheel turns on top of the picture. */
export const VideoArea = ({ waiting, onPress, onDoublePress }: VideoAreaProps): ReactElement => (
  <Box
    position="relative"
    minHeight="200px"
    borderRadius="12px"
    overflow="hidden"
    background="#000"
    css={cinema({ position: 'absolute', inset: '0', borderRadius: '0' })}
  >
    <Box
      data-mount-point="video"
      position="absolute"
      inset="0"
      // The button below does the same for those who press keys.
      onClick={onPress}
      onDoubleClick={onDoublePress}
      css={{
        '& video': { width: '100%', height: '100%', objectFit: 'contain', display: 'block' },
        // Captions stand above the bar while it lies over the picture.
        ...cinema({ '& video::-webkit-media-text-track-container': { transform: 'translateY(-168px)' } }),
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

/** A picture for a recording that has no cover, set from its name as a record sleeve would be. */
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

/** The recording's own cover, as large as there is room. */
export const TrackArt = ({ about: { name, cover } }: { about: AboutRecording }): ReactElement => (
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
          height: `min(100cqh, 100cqw * ${heightByWidth(cover)})`,
          aspectRatio: 1 / heightByWidth(cover),
        }}
      />
    )}
  </Box>
);

const heightByWidth = ({ width, height }: { width: number; height: number }): number =>
  width > 0 && height > 0 ? height / width : 1.5;

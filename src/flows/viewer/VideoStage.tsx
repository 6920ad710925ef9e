import type { ReactElement } from 'react';
import { Box } from '../../ui/chakra.ts';
import { StageWait } from './StageMessage.tsx';

/** Where the film is shown; the engine puts its element in. The wheel turns over the picture, not in its place. */
export const VideoStage = ({ waiting }: { waiting: boolean }): ReactElement => (
  <Box position="relative" minHeight="200px" borderRadius="12px" overflow="hidden" background="#000">
    <Box
      data-stage="video"
      position="absolute"
      inset="0"
      css={{ '& video': { width: '100%', height: '100%', objectFit: 'contain', display: 'block' } }}
    />
    {waiting ? (
      <Box position="absolute" inset="0" css={{ '--paper': 'rgb(0 0 0 / 0.35)', '--soft': '#ffffff' }}>
        <StageWait>{null}</StageWait>
      </Box>
    ) : null}
  </Box>
);

import type { ReactElement } from 'react';
import { Box } from '../../ui/chakra.ts';

/** A picture for a recording, set from its name as a record sleeve would be. */
export const TrackArt = ({ name }: { name: string }): ReactElement => (
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

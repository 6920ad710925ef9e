import type { ReactElement, ReactNode } from 'react';
import { Box, chakra } from '../../ui/chakra.ts';

/** A message at the foot of a page, with its actions. */
export const Pill = ({ children }: { children: ReactNode }): ReactElement => (
  <Box
    display="inline-flex"
    alignItems="center"
    maxWidth="100%"
    paddingLeft="16px"
    borderRadius="22px"
    background="var(--panel)"
    boxShadow="0 2px 12px rgb(0 0 0 / 0.24)"
    fontSize="14px"
    pointerEvents="auto"
  >
    {children}
  </Box>
);

export const PillButton = chakra('button', {
  base: {
    minHeight: '44px',
    whiteSpace: 'nowrap',
    paddingInline: '8px',
    fontWeight: 600,
    cursor: 'pointer',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px', borderRadius: '12px' },
  },
});

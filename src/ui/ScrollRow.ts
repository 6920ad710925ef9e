import { chakra } from './chakra.ts';

/** A list in one row, which touch, wheel and, once it has the focus, the arrow keys scroll. */
export const ScrollRow = chakra('ul', {
  base: {
    listStyleType: 'none',
    display: 'grid',
    gridAutoFlow: 'column',
    overflowX: 'auto',
    overscrollBehaviorX: 'contain',
    scrollSnapType: 'x proximity',
    scrollPaddingInline: 2,
    mx: -2,
    px: 2,
    scrollbarWidth: 'thin',
    '& > li': { scrollSnapAlign: 'start' },
  },
});

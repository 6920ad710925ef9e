import { chakra } from './chakra.ts';

/** A list in one row that scrolls by touch, wheel and, when it has the focus, by the arrow keys. */
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

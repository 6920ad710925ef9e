import { chakra } from '../../ui/chakra.ts';

/** An item in the list of a panel. */
export const Row = chakra('li', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: 6,
    rowGap: 2,
    py: 3,
    borderBottom: '1px solid',
    borderColor: 'line',
  },
});

import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { offPaper } from '../../ui/off-paper.ts';
import { TopFilter } from './TopFilter.tsx';

const Ways = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    columnGap: 5,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    px: { base: 4, md: 8 },
    py: { base: 2, xl: 0 },
    '&:empty': { display: 'none' },
    ...offPaper,
  },
});

type StripProps = {
  hides: FramePart[];
  display: ComponentProps<typeof Ways>['display'];
  children?: ReactNode;
  /** At the right end. */
  end?: ReactNode;
};

/** Ways into the shop, under the top bar: `children`, then the filters. */
export const Strip = ({ hides, display, children, end }: StripProps): ReactElement => {
  const { hidesFilters } = useBrand();
  return (
    <Ways display={display}>
      {children}
      {hidesFilters || hides.includes('topFilter') ? null : <TopFilter />}
      {end}
    </Ways>
  );
};

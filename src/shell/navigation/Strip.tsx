import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { hiddenInPrint } from '../../ui/hidden-in-print.ts';
import { TopFilter } from './TopFilter.tsx';

const StripLinks = chakra('div', {
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
    ...hiddenInPrint,
  },
});

type StripProps = {
  hides: FramePart[];
  display: ComponentProps<typeof StripLinks>['display'];
  children?: ReactNode;
  /** Content at the right end. */
  end?: ReactNode;
};

/** Links into the shop, below the top bar: `children`, then the filters. */
export const Strip = ({ hides, display, children, end }: StripProps): ReactElement => {
  const { hidesFilters } = useBrand();
  return (
    <StripLinks display={display}>
      {children}
      {hidesFilters || hides.includes('topFilter') ? null : <TopFilter />}
      {end}
    </StripLinks>
  );
};

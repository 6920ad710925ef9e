import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';

const Ground = chakra('section', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr', md: 'minmax(0, 1.25fr) minmax(0, 1fr)' },
    alignItems: 'center',
    gap: { base: 8, md: 10 },
    overflow: 'hidden',
    px: { base: 5, md: 10, xl: 12 },
    py: { base: 8, md: 10 },
    minHeight: { base: '30rem', md: '24rem' },
    bg: 'accent',
    color: 'accentText',
    borderRadius: 'lg',
    '& :focus-visible': { outlineColor: 'accentText' },
  },
});

type HeroProps = {
  /** What is said under the store's name. */
  children: ReactNode;
  picture: ReactNode;
};

/** The store's name on its own colour, and a title beside it. */
export const Hero = ({ children, picture }: HeroProps): ReactElement => {
  const { name } = useBrand();
  return (
    <Ground>
      <chakra.div display="grid" gap={4} justifyItems="start">
        <chakra.h1 fontSize="4xl" letterSpacing="-0.01em">
          <chakra.span display="block" fontFamily="body" fontSize="md" fontWeight={500} letterSpacing="0" mb={2}>
            <Trans>Welcome to</Trans>
          </chakra.span>
          {name}
        </chakra.h1>
        {children}
      </chakra.div>
      {picture}
    </Ground>
  );
};

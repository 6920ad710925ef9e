import { Trans } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { Cover } from '../../ui/Cover.tsx';

const Fan = chakra('div', {
  base: {
    position: 'relative',
    justifySelf: 'center',
    width: { base: '9.5rem', md: '12rem' },
    aspectRatio: '2 / 3',
  },
});

const Leaf = chakra('div', {
  base: { position: 'absolute', inset: 0, display: 'flex', alignItems: 'center' },
  variants: {
    place: {
      front: { zIndex: 1 },
      left: { transform: 'translateX(-38%) rotate(-8deg) scale(0.86)' },
      right: { transform: 'translateX(38%) rotate(8deg) scale(0.86)' },
    },
  },
});

const sideLeaves = ['left', 'right'] as const;

/** The featured cover, with the next two partly visible behind it. */
export const CoverFan = ({ titles }: { titles: TitleSummary[] }): ReactElement => {
  const [featured, ...sideTitles] = titles;
  return (
    <Fan aria-hidden="true">
      {sideLeaves.map((place, index) => {
        const title = sideTitles[index];
        return title === undefined ? null : (
          <Leaf key={title.id} place={place}>
            <Cover cover={title.cover} name={title.name} priority="eager" sizes="192px" />
          </Leaf>
        );
      })}
      {featured === undefined ? null : (
        <Leaf place="front">
          <Cover cover={featured.cover} name={featured.name} priority="first" sizes="(min-width: 768px) 192px, 152px" />
        </Leaf>
      )}
    </Fan>
  );
};

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
  /** Shown under the store's name. */
  children: ReactNode;
  picture: ReactNode;
};

/** The store's name on the store's colour, with a picture beside it. */
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

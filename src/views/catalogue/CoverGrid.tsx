import { chakra } from '@chakra-ui/react/styled-system';
import type { ReactElement } from 'react';
import type { TitleSummary } from '../../../machines/model/title.ts';
import { TitleCard, TitleCardSkeleton } from '../TitleCard.tsx';

const Grid = chakra('ul', {
  base: {
    listStyleType: 'none',
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(auto-fill, minmax(8.5rem, 1fr))', md: 'repeat(auto-fill, minmax(10rem, 1fr))' },
    columnGap: { base: 4, md: 6 },
    rowGap: 8,
    transition: 'opacity 160ms',
    '&[aria-busy=true]': { opacity: 0.45 },
  },
});

/** Covers that are on most screens at once; the rest wait until they are scrolled to. */
const aboveTheFold = 6;

const priorityAt = (place: number): 'first' | 'eager' | 'lazy' => {
  if (place === 0) return 'first';
  return place < aboveTheFold ? 'eager' : 'lazy';
};

/** Titles in rows; `waiting` while they are about to be replaced. */
export const CoverGrid = ({ titles, waiting = false }: { titles: TitleSummary[]; waiting?: boolean }): ReactElement => (
  <Grid aria-busy={waiting}>
    {titles.map((title, place) => (
      <li key={title.id}>
        <TitleCard title={title} priority={priorityAt(place)} />
      </li>
    ))}
  </Grid>
);

const places = Array.from({ length: 12 }, (_, place) => `place-${place}`);

/** The grid before there are titles. */
export const CoverGridSkeleton = (): ReactElement => (
  <Grid aria-hidden="true">
    {places.map((place) => (
      <li key={place}>
        <TitleCardSkeleton />
      </li>
    ))}
  </Grid>
);

import type { ReactElement, ReactNode } from 'react';
import { chakra } from '../../ui/chakra.ts';

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'minmax(0, 15rem) minmax(0, 1fr)', xl: 'minmax(0, 20rem) minmax(0, 1fr)' },
    columnGap: { md: 10, xl: 16 },
    rowGap: 8,
    alignItems: 'start',
  },
});

type TitleLayoutProps = {
  breadcrumbs: ReactNode;
  cover: ReactNode;
  /** Name, authors, price and actions. */
  summary: ReactNode;
  /** Description and facts, below the summary. */
  details: ReactNode;
};

/** The layout of a title's page, the same before and after it has loaded. */
export const TitleLayout = ({ breadcrumbs, cover, summary, details }: TitleLayoutProps): ReactElement => (
  <Grid>
    <chakra.div gridColumn="1 / -1" minHeight={6}>
      {breadcrumbs}
    </chakra.div>
    <chakra.div
      width={{ base: '11rem', md: '100%' }}
      mx="auto"
      gridRow={{ md: 'span 2' }}
      position={{ md: 'sticky' }}
      top={{ md: '6.5rem' }}
    >
      {cover}
    </chakra.div>
    <chakra.div display="grid" gap={4} justifyItems="start" minHeight={{ md: '15rem' }} alignContent="start">
      {summary}
    </chakra.div>
    <chakra.div display="grid" gap={10} maxWidth="46rem">
      {details}
    </chakra.div>
  </Grid>
);

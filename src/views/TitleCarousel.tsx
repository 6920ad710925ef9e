import type { FocusEvent, ReactElement, ReactNode } from 'react';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { chakra } from '../ui/chakra.ts';
import { Skeleton } from '../ui/Loading.tsx';
import { ScrollRow } from '../ui/ScrollRow.ts';
import { TitleCard, TitleCardSkeleton } from './TitleCard.tsx';

const Row = chakra(ScrollRow, {
  base: {
    gridAutoColumns: { base: '9rem', md: '10.5rem' },
    columnGap: { base: 4, md: 6 },
    pt: 2,
    pb: 4,
    // Names have two lines, authors one, so that all cards have the same height.
    '& [data-name]': { minHeight: '2lh' },
  },
});

const Head = chakra('div', {
  base: { display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 4, mb: 3 },
});

/**
 * The number of covers that the narrowest windows show in a row; the others load when the browser
 * knows their position.
 */
const COVERS_SEEN_ON_PHONE = 3;

/**
 * Scrolls a card into view that the keyboard has focused: browsers do not scroll to half-visible
 * elements.
 */
const scrollIntoView = ({ target }: FocusEvent): void => {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'start' });
};

type TitleCarouselProps = {
  /** Also the accessible name of the row. */
  heading: string;
  titles: TitleSummary[];
  /** A link to the list of all these titles. */
  more?: ReactNode;
  /** Whether the first covers load at once, as in the first carousel of a page. */
  eager?: boolean;
};

/** A row of titles that scrolls horizontally. */
export const TitleCarousel = ({ heading, titles, more, eager = false }: TitleCarouselProps): ReactElement => (
  <chakra.section aria-label={heading}>
    <Head>
      <chakra.h2 fontSize="2xl">{heading}</chakra.h2>
      {more}
    </Head>
    {/* A scrolling row must be reachable by keyboard. */}
    <Row tabIndex={0} aria-label={heading} onFocus={scrollIntoView}>
      {titles.map((title, index) => (
        <li key={title.id}>
          <TitleCard
            title={title}
            priority={eager && index < COVERS_SEEN_ON_PHONE ? 'eager' : 'lazy'}
            sizes="(min-width: 768px) 168px, 144px"
          />
        </li>
      ))}
    </Row>
  </chakra.section>
);

const skeletonKeys = ['1', '2', '3', '4', '5', '6'];

/** The placeholder of a carousel, of the same height, until its titles have loaded. */
export const TitleCarouselSkeleton = (): ReactElement => (
  <chakra.div aria-hidden="true">
    <Head>
      <Skeleton height="2.1rem" width="14rem" />
    </Head>
    <Row overflowX="hidden">
      {skeletonKeys.map((skeletonKey) => (
        <li key={skeletonKey}>
          <TitleCardSkeleton />
        </li>
      ))}
    </Row>
  </chakra.div>
);

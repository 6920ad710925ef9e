import { memo, useCallback, useDeferredValue, useSyncExternalStore, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { List } from '../../../machines/browsing/catalogue-setup.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { TitleCard, TitleCardSkeleton } from '../../views/TitleCard.tsx';
import { drawnPlaces, rowsBeyond, createGridInView } from './grid-in-view.ts';

/** Rows are of one height, so that the place of each title is known however many there are. */
const Grid = chakra('ul', {
  base: {
    position: 'relative',
    listStyleType: 'none',
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(auto-fill, minmax(8.5rem, 1fr))', md: 'repeat(auto-fill, minmax(10rem, 1fr))' },
    gridAutoRows: '1fr',
    columnGap: { base: 4, md: 6 },
    rowGap: 8,
    overflowAnchor: 'none',
    transition: 'opacity 160ms',
    '&[aria-busy=true]': { opacity: 0.45 },
    '& > li': { minHeight: 'var(--row)', minWidth: 0 },
    '& [data-name]': { minHeight: '2lh' },
  },
});

/** Covers that are on most screens at once; the rest wait until they are scrolled to. */
const aboveTheFold = 6;

const priorityAt = (place: number): 'first' | 'eager' | 'lazy' => {
  if (place === 0) return 'first';
  return place < aboveTheFold ? 'eager' : 'lazy';
};

// oxlint-disable-next-line pure-machines/state-of-module -- there is one grid in a window, and none on a server
const inView = createGridInView();

type PlaceProps = {
  title: TitleSummary | undefined;
  total: number | null;
  place: number;
  isNumbered: boolean;
  top?: number;
  column?: number;
};

/**
 * The title at a place; grey while it is fetched back. One that is out of view but has the focus is drawn alone, at
 * `top` in its `column`, counted from 1. Rendered again only when it has changed, since scrolling must stay smooth.
 */
const Place = memo(({ title, total, place, isNumbered, top, column = 1 }: PlaceProps): ReactElement => (
  <li
    data-place={place}
    aria-setsize={isNumbered ? (total ?? -1) : undefined}
    aria-posinset={isNumbered ? place + 1 : undefined}
    style={top === undefined ? undefined : { position: 'absolute', top, gridColumn: `${column} / ${column + 1}`, insetInline: 0 }}
  >
    {title === undefined ? <TitleCardSkeleton /> : <TitleCard title={title} priority={priorityAt(place)} />}
  </li>
));

type CoverGridProps = {
  actor: ActorRefFrom<typeof catalogueMachine>;
  list: List;
  /** About to be replaced. */
  waiting?: boolean;
};

/** As much of a list as is in view, in rows. */
export const CoverGrid = ({ actor, list, waiting = false }: CoverGridProps): ReactElement => {
  const seen = useSyncExternalStore(inView.subscribe, inView.now, inView.unknown);
  const watch = useCallback(
    (grid: HTMLUListElement) =>
      inView.watch(grid, {
        scrollY: waiting ? 0 : (actor.getSnapshot().context.page?.scrollY ?? 0),
        onSeen: (places) => {
          const event = { type: 'places.seen', ...places } as const;
          if (actor.getSnapshot().can(event)) actor.send(event);
        },
      }),
    [actor, waiting],
  );
  // The rows in the window are rendered at once, the rows beyond it later and without blocking input.
  const beyond = useDeferredValue(rowsBeyond, 0);
  const { from, to, above, below } = drawnPlaces(seen, list.count, beyond);
  const { focused, columns, rowHeight } = seen;
  // The focused title stays in the page however far it is scrolled away: the next Tab or Enter starts from it.
  const away = focused !== null && (focused < from || focused >= to) && focused < list.count ? focused : null;
  const places = Array.from({ length: to - from }, (_, at) => from + at);
  const all = away === null ? places : away < from ? [away, ...places] : [...places, away];
  return (
    <Grid ref={watch} aria-busy={waiting} style={{ paddingTop: above, paddingBottom: below }}>
      {all.map((place) => (
        <Place
          key={place}
          title={list.titles[place - list.from]}
          total={list.total}
          place={place}
          isNumbered={list.isPart !== true}
          {...(place === away ? { top: Math.floor(place / columns) * rowHeight, column: (place % columns) + 1 } : {})}
        />
      ))}
    </Grid>
  );
};

const waitingPlaces = Array.from({ length: 12 }, (_, place) => `place-${place}`);

/** The grid before there are titles. */
export const CoverGridSkeleton = (): ReactElement => (
  <Grid aria-hidden="true">
    {waitingPlaces.map((place) => (
      <li key={place}>
        <TitleCardSkeleton />
      </li>
    ))}
  </Grid>
);

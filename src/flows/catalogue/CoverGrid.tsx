import { memo, useCallback, useDeferredValue, useSyncExternalStore, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { TitleList } from '../../../machines/browsing/catalogue-setup.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { TitleCard, TitleCardSkeleton } from '../../views/TitleCard.tsx';
import { getRenderedRows, extraRows, createGridInView } from './grid-in-view.ts';

/** Rows have equal heights, so that the position of each title is known in a list of any length. */
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

/**
 * Covers loaded eagerly, since they are in view on most screens; the others load when they are
 * scrolled to.
 */
const eagerCoverCount = 6;

const getPriority = (place: number): 'first' | 'eager' | 'lazy' => {
  if (place === 0) return 'first';
  return place < eagerCoverCount ? 'eager' : 'lazy';
};

// oxlint-disable-next-line pure-machines/state-of-module -- one grid in a window, none on a server
const gridInView = createGridInView();

type PlaceProps = {
  title: TitleSummary | undefined;
  total: number | null;
  place: number;
  isNumbered: boolean;
  top?: number;
  column?: number;
};

/**
 * The title at an index; grey while it is loaded again. A focused title outside of the window is
 * rendered alone, at `top` in its `column`, counted from 1. Memoised, since scrolling must stay
 * smooth.
 */
const Place = memo(({ title, total, place, isNumbered, top, column = 1 }: PlaceProps): ReactElement => (
  <li
    data-place={place}
    aria-setsize={isNumbered ? (total ?? -1) : undefined}
    aria-posinset={isNumbered ? place + 1 : undefined}
    style={top === undefined ? undefined : { position: 'absolute', top, gridColumn: `${column} / ${column + 1}`, insetInline: 0 }}
  >
    {title === undefined ? <TitleCardSkeleton /> : <TitleCard title={title} priority={getPriority(place)} />}
  </li>
));

type CoverGridProps = {
  actor: ActorRefFrom<typeof catalogueMachine>;
  list: TitleList;
  /** Whether the list is about to be replaced. */
  waiting?: boolean;
};

/** The visible part of a list, in rows. */
export const CoverGrid = ({ actor, list, waiting = false }: CoverGridProps): ReactElement => {
  const seen = useSyncExternalStore(gridInView.subscribe, gridInView.now, gridInView.unknown);
  const watch = useCallback(
    (grid: HTMLUListElement) =>
      gridInView.watch(grid, {
        scrollY: waiting ? 0 : (actor.getSnapshot().context.page?.scrollY ?? 0),
        onSeen: (places) => {
          const event = { type: 'places.seen', ...places } as const;
          if (actor.getSnapshot().can(event)) actor.send(event);
        },
      }),
    [actor, waiting],
  );
  // The rows in the window are rendered at once, those beyond it later, without blocking input.
  const beyond = useDeferredValue(extraRows, 0);
  const { from, to, above, below } = getRenderedRows(seen, list.count, beyond);
  const { focused, columns, rowHeight } = seen;
  // The focused title stays in the DOM however far it is scrolled away: the next Tab or Enter
  // starts from it.
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

const skeletonKeys = Array.from({ length: 12 }, (_, place) => `place-${place}`);

/** A placeholder of the grid until there are titles. */
export const CoverGridSkeleton = (): ReactElement => (
  <Grid aria-hidden="true">
    {skeletonKeys.map((place) => (
      <li key={place}>
        <TitleCardSkeleton />
      </li>
    ))}
  </Grid>
);

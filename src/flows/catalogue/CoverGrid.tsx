import { memo, useCallback, useDeferredValue, useSyncExternalStore, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { TitleList } from '../../../machines/browsing/catalogue-setup.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { TitleCard, TitleCardSkeleton } from '../../views/TitleCard.tsx';
import { getRenderedRows, extraRows, createGridInView } from './grid-in-view.ts';

/**
 * The grid of covers. Its rows have equal heights, so that the position of each title is known in a
 * list of any length.
 */
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
 * The number of covers loaded eagerly, since they are in view on most screens; the others load when
 * they are scrolled to.
 */
const eagerCoverCount = 6;

const getPriority = (index: number): 'first' | 'eager' | 'lazy' => {
  if (index === 0) return 'first';
  return index < eagerCoverCount ? 'eager' : 'lazy';
};

// oxlint-disable-next-line pure-machines/state-of-module -- one grid in a window, none on a server
const gridInView = createGridInView();

type GridItemProps = {
  title: TitleSummary | undefined;
  total: number | null;
  index: number;
  isNumbered: boolean;
  top?: number;
  column?: number;
};

/**
 * The title at a list index; a grey placeholder while it is loaded again. A focused title outside
 * of the window is rendered alone, at `top` pixels in its `column`, counted from 1. Memoised, since
 * scrolling must stay smooth.
 */
const GridItem = memo(({ title, total, index, isNumbered, top, column = 1 }: GridItemProps): ReactElement => (
  <li
    data-place={index}
    aria-setsize={isNumbered ? (total ?? -1) : undefined}
    aria-posinset={isNumbered ? index + 1 : undefined}
    style={top === undefined ? undefined : { position: 'absolute', top, gridColumn: `${column} / ${column + 1}`, insetInline: 0 }}
  >
    {title === undefined ? <TitleCardSkeleton /> : <TitleCard title={title} priority={getPriority(index)} />}
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
  const view = useSyncExternalStore(gridInView.subscribe, gridInView.getSnapshot, gridInView.getServerSnapshot);
  const watch = useCallback(
    (grid: HTMLUListElement) =>
      gridInView.watch(grid, {
        scrollY: waiting ? 0 : (actor.getSnapshot().context.page?.scrollY ?? 0),
        onSeen: (range) => {
          const event = { type: 'visibleRange.changed', ...range } as const;
          if (actor.getSnapshot().can(event)) actor.send(event);
        },
      }),
    [actor, waiting],
  );
  // The rows in the window are rendered at once, those beyond it later, without blocking input.
  const rowsBeyond = useDeferredValue(extraRows, 0);
  const { from, to, above, below } = getRenderedRows(view, list.count, rowsBeyond);
  const { focused, columns, rowHeight } = view;
  // The focused title stays in the DOM however far it is scrolled away: the next Tab or Enter
  // starts from it.
  const focusedOutside = focused !== null && (focused < from || focused >= to) && focused < list.count ? focused : null;
  const rowIndexes = Array.from({ length: to - from }, (_, offset) => from + offset);
  const indexes =
    focusedOutside === null
      ? rowIndexes
      : focusedOutside < from
        ? [focusedOutside, ...rowIndexes]
        : [...rowIndexes, focusedOutside];
  return (
    <Grid ref={watch} aria-busy={waiting} style={{ paddingTop: above, paddingBottom: below }}>
      {indexes.map((index) => (
        <GridItem
          key={index}
          title={list.titles[index - list.from]}
          total={list.total}
          index={index}
          isNumbered={list.isPart !== true}
          {...(index === focusedOutside ? { top: Math.floor(index / columns) * rowHeight, column: (index % columns) + 1 } : {})}
        />
      ))}
    </Grid>
  );
};

const skeletonKeys = Array.from({ length: 12 }, (_, index) => `place-${index}`);

/** The placeholder of the grid until titles have loaded. */
export const CoverGridSkeleton = (): ReactElement => (
  <Grid aria-hidden="true">
    {skeletonKeys.map((key) => (
      <li key={key}>
        <TitleCardSkeleton />
      </li>
    ))}
  </Grid>
);

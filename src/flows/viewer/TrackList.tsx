import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, ContextFrom } from 'xstate';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { formatDuration } from '../../brand/facts.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { scrollToCurrent } from './scroll-to-current.ts';
import { rowButton } from './row-button.ts';
import { EarlierPlaces } from './EarlierPlaces.tsx';
import { ReaderIcon } from './IconButton.tsx';

const Track = chakra('button', {
  base: {
    ...rowButton,
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: '12px',
    minHeight: '52px',
    padding: '10px 14px',
    '&[aria-current]': { background: 'color-mix(in srgb, currentColor 12%, transparent)', fontWeight: 650 },
  },
});

/**
 * The list of parts beside the picture, without the browser's styles of a popover; opened as a
 * popover, it is a drawer.
 */
const ListNav = chakra('nav', {
  base: {
    '&[popover]:not(:popover-open)': {
      display: 'block',
      position: 'static',
      width: 'auto',
      height: 'auto',
      margin: 0,
      padding: 0,
      border: 0,
      background: 'none',
      color: 'inherit',
    },
    '&:popover-open': {
      position: 'fixed',
      inset: '0 0 0 auto',
      width: 'min(22rem, 86vw)',
      height: '100dvh',
      margin: 0,
      padding: '16px max(8px, env(safe-area-inset-right)) 16px 8px',
      border: 0,
      background: 'var(--paper)',
      color: 'var(--ink)',
      overflowY: 'auto',
    },
  },
});

type TrackListProps = {
  actor: ActorRefFrom<typeof tracksMachine>;
  /**
   * The id by which a button opens the list as a drawer over the picture, where there is no room
   * beside it. Undefined for a list that is never a drawer.
   */
  drawerId: string | undefined;
};

type Entry = { itemId: string; seconds?: number; name: string; length: number | null; isCurrent: boolean };

/**
 * The entries of a recording: its parts, or the chapters of a part that has several. The current
 * entry is marked.
 */
function getEntries({ items, itemId, position, start }: ContextFrom<typeof tracksMachine>): Entry[] {
  const playedPosition = [position, start].find((candidate) => candidate?.itemId === itemId);
  return items.flatMap(({ id, name, durationSeconds, chapters = [] }) => {
    const isCurrentItem = id === itemId;
    if (chapters.length < 2) return [{ itemId: id, name, length: durationSeconds, isCurrent: isCurrentItem }];
    // After a jump to a chapter, the reported position may be slightly before it.
    const currentIndex = Math.max(
      0,
      chapters.findLastIndex(({ seconds }) => seconds <= (playedPosition?.seconds ?? 0) + 0.5),
    );
    return chapters.map((chapter, index) => {
      const end = chapters[index + 1]?.seconds ?? durationSeconds;
      const length = end === null ? null : end - chapter.seconds;
      return { itemId: id, ...chapter, length, isCurrent: isCurrentItem && index === currentIndex };
    });
  });
}

/** The list of the recording's parts, or of its chapters. */
export const TrackList = ({ actor, drawerId }: TrackListProps): ReactElement => {
  const { t, i18n } = useLingui();
  const { context, children } = useSelector(actor, (state) => state);
  const progress = children['progress'] as ActorRefFrom<typeof progressMachine> | undefined;
  const hasChapters = context.items.some(({ chapters = [] }) => chapters.length > 1);
  return (
    <ListNav
      ref={scrollToCurrent}
      aria-label={hasChapters ? t`Chapters` : t`Parts`}
      id={drawerId}
      popover={drawerId === undefined ? undefined : 'auto'}
    >
      <Box as="h2" padding="0 14px 12px" fontSize="18px" fontWeight="650">
        {hasChapters ? <Trans>Chapters</Trans> : <Trans>Parts</Trans>}
      </Box>
      <Box as="ol" listStyleType="none" margin="0" padding="0">
        {getEntries(context).map(({ itemId, seconds, name, length, isCurrent }, index) => (
          <li key={`${itemId} ${seconds ?? ''}`}>
            <Track
              type="button"
              data-event="item.chosen"
              data-value={seconds === undefined ? itemId : `${itemId} ${seconds}`}
              aria-current={isCurrent ? 'true' : undefined}
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                actor.send({ type: 'item.chosen', itemId, ...(seconds === undefined ? {} : { seconds }) });
              }}
            >
              <Box as="span" color="var(--soft)" fontVariantNumeric="tabular-nums">
                {isCurrent ? <ReaderIcon name="sound" size={20} /> : i18n.number(index + 1)}
              </Box>
              <span>{name}</span>
              <Box as="span" color="var(--soft)" fontSize="14px" fontWeight="400" fontVariantNumeric="tabular-nums">
                {length === null ? null : formatDuration(length)}
              </Box>
            </Track>
          </li>
        ))}
      </Box>
      {progress === undefined ? null : <EarlierPlaces actor={progress} />}
    </ListNav>
  );
};

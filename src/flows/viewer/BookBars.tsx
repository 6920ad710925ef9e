import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import { Box, chakra, type Style } from '../../ui/chakra.ts';
import type { BookPanel } from './book-state.ts';
import { Plural, useLingui, Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { IconButton } from './IconButton.tsx';
import type { Locator, PageCount } from '../../../machines/model/reading/reading.ts';
import { CommitRange } from './CommitRange.tsx';
import { BarTitle, type SampleOfferData, SampleMark, SampleOffer } from './SampleOffer.tsx';

type BookActor = ActorRefFrom<typeof bookMachine>;

const CloseBook = ({ actor }: { actor: BookActor }): ReactElement => {
  const { t } = useLingui();
  return (
    <IconButton
      icon="close"
      label={t`Close the book`}
      event="close.pressed"
      onClick={() => actor.send({ type: 'close.pressed' })}
    />
  );
};

/** Buttons that open the book's side panels. */
const OpenPanels = ({ actor, panel }: { actor: BookActor; panel: BookPanel }): ReactElement => {
  const { t } = useLingui();
  // Invisible while a panel is open, but focusable for the focus that returns from it.
  const canOpen = useSelector(actor, (state) => state.matches('reading'));
  return (
    <>
      <IconButton
        icon="contents"
        label={t`Contents`}
        event="contents.pressed"
        aria-expanded={panel === 'contents'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'contents.pressed' })}
      />
      <IconButton
        icon="settings"
        label={t`Reading settings`}
        event="settings.pressed"
        aria-expanded={panel === 'settings'}
        disabled={!canOpen}
        onClick={() => actor.send({ type: 'settings.pressed' })}
      />
    </>
  );
};

/**
 * A hidden bar keeps its space, so that the pages need no new layout. In a low window, such as a
 * zoomed one, the text needs the space more; the engine keeps the reading position.
 */
const hiddenBarStyle: Style = {
  transition: 'opacity 160ms',
  '&[inert]': { opacity: 0 },
  '@media (max-height: 480px)': { '&[inert]': { height: 0, minHeight: 0, paddingBlock: 0, overflow: 'hidden' } },
};

const TopBar = chakra('header', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '4px',
    minHeight: '52px',
    paddingTop: 'env(safe-area-inset-top)',
    paddingLeft: 'max(8px, env(safe-area-inset-left))',
    paddingRight: 'max(8px, env(safe-area-inset-right))',
    ...hiddenBarStyle,
  },
});

type TopBarProps = { actor: BookActor; name: string; offer: SampleOfferData; panel: BookPanel; hidden: boolean };

/** The bar above the page. */
export const BookTopBar = ({ actor, name, offer, panel, hidden }: TopBarProps): ReactElement => (
  <TopBar inert={hidden}>
    <CloseBook actor={actor} />
    <BarTitle name={name} offer={offer} balance={{ '@media (min-width: 480px)': { paddingLeft: '48px' } }} />
    <OpenPanels actor={actor} panel={panel} />
  </TopBar>
);

const BottomBar = chakra('footer', {
  base: {
    paddingBottom: 'max(4px, env(safe-area-inset-bottom))',
    paddingLeft: 'max(8px, env(safe-area-inset-left))',
    paddingRight: 'max(8px, env(safe-area-inset-right))',
    ...hiddenBarStyle,
  },
});

/**
 * Buttons for the next and previous page, with the position in the book between them; mirrored in a
 * book that is read from right to left.
 */
const PageTurning = chakra('div', {
  base: {
    flex: '1',
    minWidth: '0',
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '8px',
    '&[dir="rtl"] svg': { transform: 'scaleX(-1)' },
  },
});

/**
 * The chapter's name beside the position in it; in a narrow window above the position, where both
 * would be cut off.
 */
const PlaceLine = chakra('div', {
  base: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: '16px',
    fontSize: '13px',
    color: 'var(--soft)',
    fontVariantNumeric: 'tabular-nums',
    '& > span': { minWidth: '0', minHeight: '20px', truncate: true },
    '& > :first-of-type': { flex: '1 1 0' },
    '@media (max-width: 479px)': {
      flexDirection: 'column',
      gap: '0',
      textAlign: 'center',
      '& > :first-of-type': { flex: 'none' },
      // There is room below the arrows on both sides.
      '& > :last-of-type': { marginInline: '-32px', pointerEvents: 'none' },
    },
  },
});

/**
 * The book's own page number, else the number of pages left in the chapter, with the share of the
 * book that is read.
 */
const PositionText = ({ locator, pageCount }: { locator: Locator; pageCount: PageCount }): ReactElement => {
  const { i18n } = useLingui();
  const percent = i18n.number(locator.totalProgression, { style: 'percent' });
  const { page, lastPage: pages, pagesLeft } = pageCount;
  if (page !== null)
    return pages === null ? (
      <Trans>
        Page {page} · {percent}
      </Trans>
    ) : (
      <Trans>
        Page {page} of {pages} · {percent}
      </Trans>
    );
  if (pagesLeft === null) return <>{percent}</>;
  return pagesLeft === 0 ? (
    <Trans>{percent} · last page of the chapter</Trans>
  ) : (
    <Trans>
      {percent} · <Plural value={pagesLeft} one="# page left in this chapter" other="# pages left in this chapter" />
    </Trans>
  );
};

type BottomBarProps = {
  actor: BookActor;
  offer: SampleOfferData;
  panel: BookPanel;
  /** Whether there is no top bar: then this bar has its content as well. */
  isOnlyBar: boolean;
  hidden: boolean;
};

/** The bar below the page: buttons for turning pages, and the reading progress. */
export const BookBottomBar = ({ actor, offer, panel, isOnlyBar, hidden }: BottomBarProps): ReactElement => {
  const { t, i18n } = useLingui();
  const { locator, pageCount, rightToLeft } = useSelector(actor, (state) => state.context);
  const canTurn = useSelector(actor, (state) => state.can({ type: 'turn.pressed', direction: 'next' }));
  const canJump = useSelector(actor, (state) => state.can({ type: 'fraction.chosen', fraction: 0 }));
  const fraction = locator?.totalProgression ?? 0;
  return (
    <BottomBar inert={hidden}>
      {isOnlyBar && offer.sample ? (
        <Box display="flex" alignItems="center" justifyContent="center" gap="12px">
          <SampleMark />
          <SampleOffer offer={offer} />
        </Box>
      ) : null}
      <Box display="flex" alignItems="center">
        {isOnlyBar ? <CloseBook actor={actor} /> : null}
        <PageTurning dir={rightToLeft ? 'rtl' : undefined} columnGap={isOnlyBar ? '0' : undefined}>
          <IconButton
            icon="previous"
            label={t`Previous page`}
            event="turn.pressed"
            data-value="previous"
            disabled={!canTurn}
            onClick={() => actor.send({ type: 'turn.pressed', direction: 'previous' })}
          />
          <Box minWidth="0" maxWidth="760px" width="100%" marginInline="auto">
            <CommitRange
              min={0}
              max={1}
              step={0.005}
              currentValue={fraction}
              disabled={!canJump}
              data-event="fraction.chosen"
              aria-label={t`Position in the book`}
              aria-valuetext={i18n.number(fraction, { style: 'percent' })}
              height="24px"
              onCommit={(newFraction) => actor.send({ type: 'fraction.chosen', fraction: newFraction })}
            />
            <PlaceLine aria-live="polite">
              <span dir="auto">{locator?.label ?? ''}</span>
              <span dir="auto">{locator ? <PositionText locator={locator} pageCount={pageCount} /> : null}</span>
            </PlaceLine>
          </Box>
          <IconButton
            icon="next"
            label={t`Next page`}
            event="turn.pressed"
            data-value="next"
            disabled={!canTurn}
            onClick={() => actor.send({ type: 'turn.pressed', direction: 'next' })}
          />
        </PageTurning>
        {isOnlyBar ? <OpenPanels actor={actor} panel={panel} /> : null}
      </Box>
    </BottomBar>
  );
};

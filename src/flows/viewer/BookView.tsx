import { useLingui, Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useRef, type KeyboardEvent, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { interruptionMachine } from '../../../machines/reading/interruption.ts';
import type { noticesMachine } from '../../../machines/reading/notices.ts';
import { Box } from '../../ui/chakra.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { toBookEvent, getFocusKind, holdFocus } from './keyboard.ts';
import { toBookState, type BookScreen } from './book-state.ts';
import { BookNotices } from './BookNotices.tsx';
import { BookBottomBar, BookTopBar } from './BookBars.tsx';
import { bookPanels } from './BookPanels.tsx';
import { IconButton } from './IconButton.tsx';
import type { SampleOfferData } from './SampleOffer.tsx';
import { EndMessage, FailedMessage, ViewerWait } from './ViewerMessage.tsx';
import { createReadingCss } from './reading-colors.ts';
import { getStateAttributes } from '../../views/state-name.ts';

type ScreenProps = { actor: ActorRefFrom<typeof bookMachine>; offer: SampleOfferData };

const Opening = (): ReactElement => (
  <ViewerWait>
    <Trans>Opening the book…</Trans>
  </ViewerWait>
);
const Closing = (): ReactElement => (
  <ViewerWait>
    <Trans>Saving your place…</Trans>
  </ViewerWait>
);
const Open = (): null => null;

/** The button that closes the enlarged picture. */
const ReduceButton = ({ actor }: Pick<ScreenProps, 'actor'>): ReactElement => {
  const { t } = useLingui();
  return (
    <Box position="absolute" zIndex="3" top="8px" insetInlineEnd="8px" borderRadius="999px" background="var(--panel)">
      <IconButton
        icon="close"
        label={t`Close the enlarged view`}
        event="book.reduceRequested"
        onClick={() => actor.send({ type: 'book.reduceRequested' })}
      />
    </Box>
  );
};

/** The overlay for each state of the book. */
const bookScreens: Record<BookScreen, (props: ScreenProps) => ReactElement | null> = {
  opening: Opening,
  open: Open,
  ended: EndMessage,
  failed: FailedMessage,
  closing: Closing,
  closed: Closing,
};

type Props = { actor: ActorRefFrom<typeof bookMachine>; name: string; offer: SampleOfferData; topBar?: boolean };

/**
 * The open book: the pages between two bars, or above the bottom bar if there is no top bar. The
 * mount point is the same element in every state, because the engine lays the pages out in it.
 */
export const BookView = ({ actor, name, offer, topBar = true }: Props): ReactElement => {
  const { t } = useLingui();
  const snapshot = useSelector(actor, (state) => state);
  const root = useRef<HTMLDivElement>(null);
  const { context, children } = snapshot;
  const notices = children.notices as ActorRefFrom<typeof noticesMachine> | undefined;
  const interruption = children.interruption as ActorRefFrom<typeof interruptionMachine> | undefined;
  const progress = children.progress as ActorRefFrom<typeof progressMachine> | undefined;
  const { screen, panel, controls, enlarged } = toBookState(snapshot.value);
  const Screen = bookScreens[screen];
  const Panel = bookPanels[panel];

  const onKeyDown = (keyPress: KeyboardEvent) => {
    if (keyPress.defaultPrevented) return;
    const event = toBookEvent(keyPress, {
      within: getFocusKind(keyPress.target),
      panelOpen: panel !== 'closed',
      enlarged,
      rightToLeft: context.rightToLeft === true,
    });
    if (!event || !snapshot.can(event)) return;
    keyPress.preventDefault();
    actor.send(event);
  };
  const choose = (href: string) => {
    // Until the panel is unmounted, no other element can take the focus.
    flushSync(() => actor.send({ type: 'entry.chosen', href }));
    root.current?.querySelector<HTMLElement>('[data-mount-point]')?.focus({ preventScroll: true });
  };

  return (
    <Box
      as="section"
      ref={root}
      {...getStateAttributes('book', snapshot.value)}
      aria-label={name}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      css={{
        ...createReadingCss(context.look.theme),
        position: 'absolute',
        inset: 0,
        display: 'grid',
        // A long name in the bar must not widen the layout.
        gridTemplateColumns: 'minmax(0, 1fr)',
        gridTemplateRows: topBar ? 'auto minmax(0, 1fr) auto' : 'minmax(0, 1fr) auto',
        outline: 'none',
        transition: 'background 160ms, color 160ms',
      }}
    >
      {topBar ? (
        <BookTopBar actor={actor} name={name} offer={offer} panel={panel} hidden={controls === 'hidden'} />
      ) : (
        <VisuallyHidden as="h1">{name}</VisuallyHidden>
      )}
      <Box position="relative" minHeight="0">
        <Box
          ref={holdFocus}
          data-mount-point="book"
          role="document"
          aria-label={t`Page`}
          data-enlarge-hint={t`Press Enter to enlarge`}
          tabIndex={-1}
          outline="none"
          position="absolute"
          inset="0"
        />
        <Screen actor={actor} offer={offer} />
        {enlarged ? <ReduceButton actor={actor} /> : null}
        {notices && snapshot.matches('reading') ? (
          <BookNotices actor={notices} progress={progress} interruption={interruption} />
        ) : null}
      </Box>
      <BookBottomBar actor={actor} offer={offer} panel={panel} isOnlyBar={!topBar} hidden={controls === 'hidden'} />
      {Panel ? <Panel actor={actor} onClose={() => actor.send({ type: 'panel.closed' })} onChoose={choose} /> : null}
    </Box>
  );
};

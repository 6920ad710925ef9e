import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ContentsEntry, Locator, ReadingTheme } from '../../../machines/model/reading.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { SidePanel } from './SidePanel.tsx';
import type { ActorRefFrom } from 'xstate';
import type { bookMachine } from '../../../machines/reading/book.ts';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { readingColors } from './reading-colors.ts';
import type { BookPanel } from './book-state.ts';

/** `onChoose` also gives the focus to the page. */
type PanelProps = {
  actor: ActorRefFrom<typeof bookMachine>;
  onClose: () => void;
  onChoose: (href: string) => void;
};

const fileOf = (href: string): string => href.split('#')[0] ?? href;

const flat = (entries: ContentsEntry[]): ContentsEntry[] => entries.flatMap((entry) => [entry, ...flat(entry.children)]);

/**
 * The entry that the reader is in: the one of the locator's own address, else the one of its chapter name in the same
 * file, else the file's first one; null when the contents do not cover the place.
 */
const entryAt = (contents: ContentsEntry[], locator: Locator | null): ContentsEntry | null => {
  if (locator === null) return null;
  const entries = flat(contents);
  const inFile = entries.filter((entry) => fileOf(entry.href) === fileOf(locator.href));
  return (
    inFile.find((entry) => entry.title === locator.label) ??
    entries.find((entry) => entry.href === locator.href) ??
    inFile[0] ??
    null
  );
};

const Entry = chakra('button', {
  base: {
    display: 'block',
    width: '100%',
    minHeight: '44px',
    padding: '10px 12px',
    borderRadius: '10px',
    textAlign: 'start',
    fontSize: '15px',
    lineHeight: 1.4,
    color: 'inherit',
    cursor: 'pointer',
    _hover: { background: 'color-mix(in srgb, currentColor 8%, transparent)' },
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '-2px' },
    '&[aria-current]': { background: 'color-mix(in srgb, currentColor 12%, transparent)', fontWeight: 650 },
  },
});

type ListProps = { entries: ContentsEntry[]; current: ContentsEntry | null; onChoose: (href: string) => void };

const Entries = ({ entries, current, onChoose }: ListProps): ReactElement => (
  <Box as="ul" listStyleType="none" margin="0" padding="0">
    {entries.map((entry, place) => (
      // A contents list may name one address twice, and never changes while the book is open.
      <Box as="li" key={place}>
        <Entry
          type="button"
          data-event="entry.chosen"
          data-value={entry.href}
          aria-current={entry === current ? 'location' : undefined}
          onClick={() => onChoose(entry.href)}
        >
          {entry.title}
        </Entry>
        {entry.children.length > 0 ? (
          <Box paddingInlineStart="18px">
            <Entries entries={entry.children} current={current} onChoose={onChoose} />
          </Box>
        ) : null}
      </Box>
    ))}
  </Box>
);

/** The book's chapters, the one being read marked. */
const ContentsPanel = ({ actor, onClose, onChoose }: PanelProps): ReactElement => {
  const { t } = useLingui();
  const { contents, locator } = useSelector(actor, (state) => state.context);
  return (
    <SidePanel title={t`Contents`} onClose={onClose}>
      {contents.length > 0 ? (
        <Entries entries={contents} current={entryAt(contents, locator)} onChoose={onChoose} />
      ) : (
        <Box padding="8px 12px" color="var(--soft)">
          <Trans>This book has no table of contents.</Trans>
        </Box>
      )}
    </SidePanel>
  );
};

const themes: [ReadingTheme, MessageDescriptor][] = [
  ['light', msg`Light`],
  ['sepia', msg`Sepia`],
  ['dark', msg`Dark`],
];

const smallest = 0.5;
const largest = 3;
/** Tenths, counted in whole numbers so that ten steps up and ten down end where they began. */
const stepped = (scale: number, by: 1 | -1): number => Math.min(largest, Math.max(smallest, (Math.round(scale * 10) + by) / 10));

const Step = chakra('button', {
  base: {
    flex: 1,
    height: '52px',
    borderRadius: '12px',
    background: 'color-mix(in srgb, currentColor 8%, transparent)',
    fontFamily: 'display',
    lineHeight: 1,
    cursor: 'pointer',
    _hover: { background: 'color-mix(in srgb, currentColor 14%, transparent)' },
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px' },
    _disabled: { opacity: 0.4, cursor: 'default' },
  },
});

const Swatch = chakra('label', {
  base: {
    position: 'relative',
    flex: 1,
    display: 'grid',
    placeItems: 'center',
    height: '72px',
    borderRadius: '12px',
    border: '1px solid rgb(128 128 128 / 0.4)',
    fontSize: '15px',
    cursor: 'pointer',
    '&:has(input:checked)': { outline: '2px solid var(--ink)', outlineOffset: '2px', fontWeight: 650 },
    '&:has(input:focus-visible)': { outline: '3px solid var(--ink)', outlineOffset: '4px' },
  },
});

/** How the pages look: the text size and the colour of the paper. The page is not dimmed, so that changes can be seen. */
const SettingsPanel = ({ actor, onClose }: PanelProps): ReactElement => {
  const { t, i18n } = useLingui();
  const { look, medium } = useSelector(actor, (state) => state.context);
  const size = i18n.number(look.fontScale, { style: 'percent' });
  const scale = (by: 1 | -1) => actor.send({ type: 'look.chosen', look: { ...look, fontScale: stepped(look.fontScale, by) } });
  return (
    <SidePanel title={t`Reading settings`} dims={false} onClose={onClose}>
      <Box as="h3" padding="8px" fontFamily="body" fontSize="14px" fontWeight="400" color="var(--soft)">
        {medium === 'pdf' ? <Trans>Page size</Trans> : <Trans>Text size</Trans>}
      </Box>
      <Box display="flex" alignItems="center" gap="12px" padding="0 8px">
        <Step
          type="button"
          data-event="look.chosen"
          data-value="smaller"
          aria-label={t`Smaller`}
          fontSize="16px"
          disabled={look.fontScale <= smallest}
          onClick={() => scale(-1)}
        >
          A
        </Step>
        <Box as="output" aria-live="polite" minWidth="64px" textAlign="center" fontVariantNumeric="tabular-nums">
          {size}
        </Box>
        <Step
          type="button"
          data-event="look.chosen"
          data-value="larger"
          aria-label={t`Larger`}
          fontSize="26px"
          disabled={look.fontScale >= largest}
          onClick={() => scale(1)}
        >
          A
        </Step>
      </Box>
      <Box as="fieldset" border="0" margin="24px 0 0" padding="0 8px">
        <Box as="legend" padding="8px 0" fontSize="14px" color="var(--soft)">
          <Trans>Paper</Trans>
        </Box>
        <Box display="flex" gap="12px">
          {themes.map(([theme, name]) => (
            <Swatch key={theme} style={{ background: readingColors[theme].paper, color: readingColors[theme].ink }}>
              <input
                type="radio"
                name="reading-theme"
                value={theme}
                checked={look.theme === theme}
                data-event="look.chosen"
                data-value={theme}
                style={{ position: 'absolute', inset: 0, opacity: 0, cursor: 'pointer' }}
                onChange={() => actor.send({ type: 'look.chosen', look: { ...look, theme } })}
              />
              {i18n._(name)}
            </Swatch>
          ))}
        </Box>
      </Box>
    </SidePanel>
  );
};

/** What is shown beside the page in each state of the panel. */
export const bookPanels: Record<BookPanel, ((props: PanelProps) => ReactElement) | null> = {
  closed: null,
  contents: ContentsPanel,
  settings: SettingsPanel,
};

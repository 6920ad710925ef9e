import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ContentsEntry } from '../../../machines/model/reading.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { entryAt } from './contents-place.ts';
import type { PanelProps } from './panel-props.ts';
import { SidePanel } from './SidePanel.tsx';

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
export const ContentsPanel = ({ actor, onClose, onChoose }: PanelProps): ReactElement => {
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

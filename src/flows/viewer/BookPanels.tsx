import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, useMemo, type ReactElement } from 'react';
import type { ReadingTheme } from '../../../machines/model/reading/reading.ts';
import { Box, chakra } from '../../ui/chakra.ts';
import { Tree } from '../../ui/parts/Tree.tsx';
import { findCurrentPath, findHref, getAncestorPaths, toTree } from './contents.ts';
import { EarlierPlaces } from './EarlierPlaces.tsx';
import { SidePanel } from './SidePanel.tsx';
import type { ActorRefFrom } from 'xstate';
import type { progressMachine } from '../../../machines/reading/progress.ts';
import type { bookMachine } from '../../../machines/reading/book.ts';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { readingColors } from './reading-colors.ts';
import type { BookPanel } from './book-state.ts';

/** `onChoose` also moves the focus to the page. */
type PanelProps = {
  actor: ActorRefFrom<typeof bookMachine>;
  onClose: () => void;
  onChoose: (href: string) => void;
};

/** The book's chapters as a tree, expanded at the current one. */
const ContentsPanel = ({ actor, onClose, onChoose }: PanelProps): ReactElement => {
  const { t } = useLingui();
  const id = useId();
  const { context, children } = useSelector(actor, (state) => state);
  const { contents, locator } = context;
  const progress = children.progress as ActorRefFrom<typeof progressMachine> | undefined;
  const entries = useMemo(() => toTree(contents), [contents]);
  const current = findCurrentPath(contents, locator);
  const choose = (path: string) => {
    const href = findHref(contents, path);
    if (href !== null) onChoose(href);
  };
  return (
    <SidePanel title={t`Contents`} onClose={onClose}>
      {contents.length > 0 ? (
        <Tree
          id={id}
          label={t`Contents`}
          entries={entries}
          current={current}
          expandedValues={current === null ? [] : getAncestorPaths(current)}
          openerName={(name) => t`Parts of ${name}`}
          event="entry.chosen"
          onChoose={choose}
        />
      ) : (
        <Box padding="8px 12px" color="var(--soft)">
          <Trans>This book has no table of contents.</Trans>
        </Box>
      )}
      {progress === undefined ? null : <EarlierPlaces actor={progress} onChosen={onClose} />}
    </SidePanel>
  );
};

const themes: [ReadingTheme, MessageDescriptor][] = [
  ['light', msg`Light`],
  ['sepia', msg`Sepia`],
  ['dark', msg`Dark`],
];

const minFontScale = 0.5;
const maxFontScale = 3;
/**
 * Returns the font scale a tenth larger or smaller. Computed in integers, so that ten steps up and
 * ten down return to the first scale.
 */
const stepFontScale = (scale: number, direction: 1 | -1): number =>
  Math.min(maxFontScale, Math.max(minFontScale, (Math.round(scale * 10) + direction) / 10));

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

/** The pages' text size and paper colour. The page is not dimmed, so that changes are visible. */
const SettingsPanel = ({ actor, onClose }: PanelProps): ReactElement => {
  const { t, i18n } = useLingui();
  const { look, medium } = useSelector(actor, (state) => state.context);
  const size = i18n.number(look.fontScale, { style: 'percent' });
  const changeFontScale = (direction: 1 | -1) =>
    actor.send({ type: 'look.chosen', look: { ...look, fontScale: stepFontScale(look.fontScale, direction) } });
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
          disabled={look.fontScale <= minFontScale}
          onClick={() => changeFontScale(-1)}
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
          disabled={look.fontScale >= maxFontScale}
          onClick={() => changeFontScale(1)}
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

/** The side panel for each state. */
export const bookPanels: Record<BookPanel, ((props: PanelProps) => ReactElement) | null> = {
  closed: null,
  contents: ContentsPanel,
  settings: SettingsPanel,
};

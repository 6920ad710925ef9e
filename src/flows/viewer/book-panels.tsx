import type { ReactElement } from 'react';
import type { BookPanel } from './book-parts.ts';
import { ContentsPanel } from './ContentsPanel.tsx';
import type { PanelProps } from './panel-props.ts';
import { SettingsPanel } from './SettingsPanel.tsx';

/** What stands beside the page in each state of the panel. */
export const bookPanels: Record<BookPanel, ((props: PanelProps) => ReactElement) | null> = {
  closed: null,
  contents: ContentsPanel,
  settings: SettingsPanel,
};

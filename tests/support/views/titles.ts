import * as v from 'valibot';
import type { Locator, Playback, ReadingLook } from '../../../machines/model/reading/reading.ts';
import { Receipt, type OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { TitleSummary, type Medium } from '../../../machines/model/catalogue/title.ts';
import type { OpenedTitle } from '../../../machines/reading/viewer-setup.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';

export const title = v.parse(TitleSummary, {
  id: '1001',
  name: 'The Ferry Ledger',
  authors: ['Ines Marlow'],
  type: 'ebook',
  medium: 'epub',
  cover: null,
  prices: [{ amount: 9.99, currency: 'USD', symbol: '$' }],
});

export const receipt = v.parse(Receipt, {
  transId: '3f2a91c4-0d4e-4bd1-a1a5-5a3f3a7f0001',
  titleId: '1001',
  instanceId: 'i-1',
  name: 'The Ferry Ledger',
  amount: 9.99,
  currency: 'USD',
  symbol: '$',
  paidAt: '2026-11-20T18:30:00Z',
  cover: null,
});

export const makeOwnedTitle = (instanceId: string, progress: number, overrides: Partial<TitleSummary> = {}): OwnedTitle => ({
  instanceId,
  purchasedAt: '2026-11-01T09:00:00Z',
  lastOpenedAt: null,
  progress,
  title: { ...title, ...overrides },
});

export const look: ReadingLook = { fontScale: 1, theme: 'light' };

export const makeLocator = (overrides: Partial<Locator> = {}): Locator => ({
  href: 'chapter-2.xhtml',
  progression: 0.25,
  totalProgression: 0.12,
  cfi: null,
  label: 'The second crossing',
  page: 3,
  pages: 120,
  ...overrides,
});

export const tableOfContents = [
  { title: 'The first crossing', href: 'chapter-1.xhtml', children: [] },
  {
    title: 'The second crossing',
    href: 'chapter-2.xhtml',
    children: [{ title: 'Fog', href: 'chapter-2.xhtml#fog', children: [] }],
  },
];

const makeItem = (id: string, name: string, durationSeconds: number | null) => ({
  id,
  name,
  url: `/media/${id}`,
  durationSeconds,
  captions: [],
});

export const playback: Playback = { rate: 1, volume: 1, muted: false, captions: 'en' };

export const makeOpenedTitle = (medium: Medium, overrides: Partial<OpenedTitle['publication']> = {}): OpenedTitle => ({
  publication: {
    titleId: '1001',
    instanceId: 'i-1',
    name: 'The Ferry Ledger',
    medium,
    sample: false,
    items:
      medium === 'audio'
        ? [makeItem('a', 'Part one', 245), makeItem('b', 'Part two', 310), makeItem('c', 'Part three', 3845)]
        : [makeItem('a', 'The Ferry Ledger', medium === 'video' ? 95 : null)],
    ...overrides,
  },
  position: null,
  progress: emptyProgress,
  look,
  playback,
  about: null,
  renewIn: 30_000_000,
});

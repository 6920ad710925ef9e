import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answeringPort } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { tableOfContents, makeLocator, look, makeOpenedTitle, title } from '../../support/views/titles.ts';
import { noPageCount, type PageCount } from '../../../machines/model/reading/reading.ts';
import { startViewer } from '../../support/views/viewer.tsx';

const openBook = async (options: { sample?: boolean } = {}) => {
  const params: Record<string, string> = options.sample ? { instanceid: '1001', sample: '1' } : { instanceid: 'i-1' };
  const viewer = await startViewer(answeringPort(makeOpenedTitle('epub', options)), params);
  viewer.sendBookFact({ type: 'book.opened', contents: tableOfContents });
  viewer.sendBookFact({ type: 'book.moved', locator: makeLocator() });
  return viewer;
};

const findMountPoint = (container: HTMLElement) => container.querySelector<HTMLElement>('[data-mount-point="book"]');
const readRegions = (container: HTMLElement) => readState(container, 'book') as { reading: Record<string, string> };
const turnEvent = (direction: string) => ({ type: 'book.turn', direction });

test('the mount point stays the same element when the book fails and opens again', async () => {
  const { container, sendBookFact } = await startViewer(answeringPort(makeOpenedTitle('epub')));
  const mountPoint = findMountPoint(container);
  expect(mountPoint).not.toBeNull();
  expect(container.textContent).toContain('Opening the book');
  sendBookFact({ type: 'book.opened', contents: tableOfContents });
  expect(container.textContent).not.toContain('Opening the book');
  sendBookFact({ type: 'book.ended' });
  sendBookFact({ type: 'book.failed', problem: { kind: 'offline' } });
  expect(screen.getByRole('alert').textContent).toContain('We can’t reach the shop');
  await userEvent.click(findPressable(container, 'retry.pressed'));
  expect(findMountPoint(container)).toBe(mountPoint);
});

test('the position is announced politely and shown by the slider', async () => {
  const { container } = await openBook();
  const slider = screen.getByLabelText<HTMLInputElement>('Position in the book');
  expect(slider.value).toBe('0.12');
  expect(slider.getAttribute('aria-valuetext')).toBe('12%');
  const positionText = container.querySelector('[aria-live="polite"]');
  expect(positionText?.textContent).toBe('The second crossing12%');
});

const makePageCount = (overrides: Partial<PageCount>): PageCount => ({ ...noPageCount, ...overrides });

test.each([
  ['by the numbers of the printed edition', { page: '12', lastPage: '304', pagesLeft: 3 }, 'Page 12 of 304 · 12%'],
  ['by their names if these are not numbers', { page: 'xii', lastPage: null, pagesLeft: 3 }, 'Page xii · 12%'],
  ['as the number left in the chapter', { pagesLeft: 3 }, '12% · 3 pages left in this chapter'],
  ['as the single one left in the chapter', { pagesLeft: 1 }, '12% · 1 page left in this chapter'],
  ['as none left on the last page of a chapter', { pagesLeft: 0 }, '12% · last page of the chapter'],
  ['never as positions', {}, '12%'],
])('pages of a book are shown %s', async (_, pageCount, text) => {
  const { container, sendBookFact } = await openBook();
  sendBookFact({ type: 'book.moved', locator: makeLocator(), pageCount: makePageCount(pageCount) });
  expect(container.querySelector('[aria-live="polite"]')?.textContent).toBe(`The second crossing${text}`);
});

test('keys turn pages without a press on the book first', async () => {
  const { container, pages } = await openBook();
  expect(document.activeElement).toBe(findMountPoint(container));
  await userEvent.keyboard('{ArrowRight}{PageDown}[Space]{ArrowLeft}{PageUp}{Shift>}[Space]{/Shift}');
  expect(pages).toEqual([
    turnEvent('next'),
    turnEvent('next'),
    turnEvent('next'),
    turnEvent('previous'),
    turnEvent('previous'),
    turnEvent('previous'),
  ]);
});

test('keys still turn pages when the focused element has been removed', async () => {
  const { container, pages } = await openBook();
  findMountPoint(container)?.blur();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{ArrowRight}');
  expect(pages).toEqual([turnEvent('next')]);
  expect(document.activeElement).toBe(findMountPoint(container));
});

test('keys that the engine has handled are not handled twice', async () => {
  const { container, pages } = await openBook();
  findMountPoint(container)?.addEventListener('keydown', (keydown) => keydown.preventDefault());
  await userEvent.keyboard('{ArrowRight}');
  expect(pages).toEqual([]);
});

test('keys for fields, buttons and the browser turn no page', async () => {
  const { container, pages } = await openBook();
  const slider = screen.getByLabelText('Position in the book');
  for (const key of ['ArrowRight', 'PageDown', ' ']) fireEvent.keyDown(slider, { key });
  findMountPoint(container)?.focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(pages).toEqual([]);
  screen.getByRole('button', { name: 'Next page' }).focus();
  await userEvent.keyboard('[Space]');
  expect(pages).toEqual([turnEvent('next')]);
});

test('the slider goes to a position when it is released', async () => {
  const { pages } = await openBook();
  const slider = screen.getByLabelText('Position in the book');
  fireEvent.input(slider, { target: { value: '0.5' } });
  expect(pages).toEqual([]);
  fireEvent.change(slider, { target: { value: '0.6' } });
  expect(pages).toEqual([{ type: 'book.goToFraction', fraction: 0.6 }]);
});

test('contents open with the current chapter focused; choosing one goes there and returns the focus', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(findPressable(container, 'contents.pressed'));
  const current = screen.getByRole('treeitem', { current: 'location' });
  expect(current).toBe(screen.getByRole('treeitem', { name: 'The second crossing', expanded: false }));
  expect(document.activeElement).toBe(current);
  await userEvent.click(screen.getByRole('button', { name: 'Parts of The second crossing' }));
  await userEvent.click(screen.getByRole('treeitem', { name: 'Fog' }));
  await waitFor(() => expect(pages).toEqual([{ type: 'book.goTo', href: 'chapter-2.xhtml#fog' }]));
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{ArrowRight}');
  expect(pages.at(-1)).toEqual(turnEvent('next'));
});

test('contents have one tab stop, within which arrow keys move, expand and collapse', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(findPressable(container, 'contents.pressed'));
  const getTreeItem = (name: string) => screen.getByRole('treeitem', { name });
  const waitForFocus = (name: string) => waitFor(() => expect(document.activeElement).toBe(getTreeItem(name)));
  await userEvent.keyboard('{ArrowRight}');
  await waitFor(() => expect(getTreeItem('The second crossing').getAttribute('aria-expanded')).toBe('true'));
  await userEvent.keyboard('{ArrowRight}');
  await waitForFocus('Fog');
  expect(screen.getAllByRole('treeitem').filter(({ tabIndex }) => tabIndex === 0)).toEqual([getTreeItem('Fog')]);
  await userEvent.keyboard('{ArrowLeft}');
  await waitForFocus('The second crossing');
  await userEvent.keyboard('{ArrowLeft}');
  await waitFor(() => expect(screen.queryByRole('treeitem', { name: 'Fog' })).toBeNull());
  await userEvent.keyboard('{Home}');
  await waitForFocus('The first crossing');
  expect(pages).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(pages).toEqual([{ type: 'book.goTo', href: 'chapter-1.xhtml' }]));
});

test('contents are expanded around a nested chapter, which can be chosen again', async () => {
  const { container, pages, sendBookFact } = await openBook();
  sendBookFact({ type: 'book.moved', locator: { ...makeLocator(), label: 'Fog' } });
  await userEvent.click(findPressable(container, 'contents.pressed'));
  expect(document.activeElement).toBe(screen.getByRole('treeitem', { name: 'Fog', current: 'location' }));
  expect(screen.getByRole('treeitem', { name: 'The second crossing', expanded: true })).toBeDefined();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(pages).toEqual([{ type: 'book.goTo', href: 'chapter-2.xhtml#fog' }]));
});

test('a panel that the browser has closed is closed in the machine of the book, too', async () => {
  const { container } = await openBook();
  await userEvent.click(findPressable(container, 'settings.pressed'));
  fireEvent(screen.getByRole('dialog', { name: 'Reading settings' }), new Event('close'));
  expect(readRegions(container).reading['panel']).toBe('closed');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a press outside a panel closes the panel, and a press inside does not', async () => {
  const { container } = await openBook();
  await userEvent.click(findPressable(container, 'settings.pressed'));
  await userEvent.click(screen.getByRole('heading', { name: 'Reading settings' }));
  expect(readRegions(container).reading['panel']).toBe('settings');
  await userEvent.click(screen.getByRole('dialog'));
  expect(readRegions(container).reading['panel']).toBe('closed');
});

test('text size changes in steps of 10%', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(findPressable(container, 'settings.pressed'));
  await userEvent.click(findPressable(container, 'look.chosen', 'larger'));
  expect(pages).toEqual([{ type: 'book.setLook', look: { ...look, fontScale: 1.1 } }]);
});

test('the paper colour changes on the page and around it', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(findPressable(container, 'settings.pressed'));
  await userEvent.click(screen.getByRole('radio', { name: 'Sepia' }));
  expect(pages.at(-1)).toEqual({ type: 'book.setLook', look: { fontScale: 1, theme: 'sepia' } });
  const root = container.querySelector('[data-flow="book"]');
  expect(root && getComputedStyle(root).getPropertyValue('--paper')).toBe('#f6ecd8');
});

test('hidden bars cannot be focused, and are shown again by a key', async () => {
  const { container, sendBookFact } = await openBook();
  sendBookFact({ type: 'book.controlsRequested' });
  expect(container.querySelector('header')?.hasAttribute('inert')).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(container.querySelector('header')?.hasAttribute('inert')).toBe(false);
});

test('the end of a book leads back to the library', async () => {
  const { container, sendBookFact } = await openBook();
  sendBookFact({ type: 'book.ended' });
  expect(screen.getByRole('heading', { name: 'The end' })).toBeDefined();
  const backButton = screen.getByRole('button', { name: 'Back to My Library' });
  await userEvent.click(backButton);
  expect(readState(container, 'book')).toBe('closing');
});

test('the end of a sample offers the full title', async () => {
  const { sendBookFact, receivedEvents } = await openBook({ sample: true });
  sendBookFact({ type: 'book.ended' });
  await userEvent.click(screen.getByRole('button', { name: 'Buy the full title' }));
  expect(receivedEvents).toEqual([{ type: 'go', to: '/title/purchase?titleid=1001', replace: false }]);
});

const noteLocator = { ...makeLocator(), href: 'notes.xhtml', totalProgression: 0.9, label: 'Notes', page: 110 };

const followLink = async () => {
  const book = await openBook();
  book.sendBookFact({ type: 'book.linkPressed', href: 'notes.xhtml#n1' });
  book.sendBookFact({ type: 'book.moved', locator: noteLocator });
  return book;
};

test('a link within the book is followed, and a button leads back', async () => {
  const { pages } = await followLink();
  expect(pages).toEqual([{ type: 'book.goTo', href: 'notes.xhtml#n1' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Back to where you were' }));
  expect(pages.at(-1)).toEqual({ type: 'book.goToPlace', place: makeLocator() });
  expect(screen.queryByRole('button', { name: 'Back to where you were' })).toBeNull();
});

test('the way back names the page if the book has page numbers', async () => {
  const { sendBookFact } = await openBook();
  sendBookFact({ type: 'book.moved', locator: makeLocator(), pageCount: makePageCount({ page: 'xii' }) });
  sendBookFact({ type: 'book.linkPressed', href: 'notes.xhtml#n1' });
  sendBookFact({ type: 'book.moved', locator: noteLocator, pageCount: makePageCount({ page: '300' }) });
  expect(screen.getByRole('button', { name: 'Back to page xii' })).toBeDefined();
});

test('the target of a link is saved when the reader chooses to stay there', async () => {
  const { readPositionToSave } = await followLink();
  expect(readPositionToSave()).toEqual(makeLocator());
  await userEvent.click(screen.getByRole('button', { name: 'Stay here' }));
  expect(readPositionToSave()).toEqual(noteLocator);
});

test('turning pages at the target of a link saves the position there, and keeps the way back', async () => {
  const { readPositionToSave, sendBookFact } = await followLink();
  await userEvent.keyboard('{ArrowLeft}');
  sendBookFact({ type: 'book.moved', locator: { ...noteLocator, page: 109 } });
  expect(readPositionToSave()).toEqual(makeLocator());
  await userEvent.keyboard('{ArrowRight}');
  sendBookFact({ type: 'book.moved', locator: noteLocator });
  expect(readPositionToSave()).toEqual(noteLocator);
  expect(screen.getByRole('button', { name: 'Back to where you were' })).toBeDefined();
});

test('a failed book offers no way back', async () => {
  const { sendBookFact } = await followLink();
  sendBookFact({ type: 'book.failed', problem: { kind: 'offline' } });
  expect(screen.queryByRole('button', { name: 'Back to where you were' })).toBeNull();
});

test('a skipped chapter is announced, with the reason, until the reader turns a page', async () => {
  const { container, sendBookFact } = await openBook();
  const status = container.querySelector('[data-flow="notices"] > [role="status"]:not([data-flow])');
  expect(status?.textContent).toBe('');
  sendBookFact({ type: 'book.skipped', problem: { kind: 'refused', code: 'not_found', message: '' } });
  expect(status?.textContent).toBe('A chapter was skipped. A file is missing from this title. Save a record of this visit');
  await userEvent.keyboard('{ArrowRight}');
  expect(status?.textContent).toBe('');
});

test.each([
  ['book_too_deep', /too complex/],
  ['book_too_large', /too large/],
  ['book_too_many', /too many parts/],
  ['book_protected', /copy-protected/],
  ['no_chapter', /None of this book’s chapters/],
  ['not_found', /file is missing/],
])('a book that fails with %s shows the reason', async (code, expectedText) => {
  const { sendBookFact } = await openBook();
  sendBookFact({ type: 'book.failed', problem: { kind: 'refused', code, message: 'chapter.xhtml: no' } });
  expect(screen.getByRole('alert').textContent).toMatch(expectedText);
});

test('in a right-to-left book the progress bar runs from right to left, and arrow keys are swapped', async () => {
  const { container, pages, sendBookFact } = await startViewer(answeringPort(makeOpenedTitle('epub')));
  sendBookFact({ type: 'book.opened', contents: tableOfContents, rightToLeft: true });
  const bar = container.querySelector('footer [dir="rtl"]');
  expect(bar?.querySelectorAll('[data-event="turn.pressed"], [data-event="fraction.chosen"]')).toHaveLength(3);
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}{PageDown}');
  expect(pages).toEqual((['next', 'previous', 'next'] as const).map((direction) => ({ type: 'book.turn', direction })));
});

test('a sample is marked as such, and offers the full title at its price', async () => {
  const { container, receivedEvents, sendBookFact } = await startViewer(
    answeringPort({ ...makeOpenedTitle('epub', { sample: true }), about: title }),
    {
      instanceid: '1001',
      sample: '1',
    },
  );
  sendBookFact({ type: 'book.opened', contents: tableOfContents });
  const bar = container.querySelector('header');
  expect(bar?.textContent).toContain('Sample');
  await userEvent.click(screen.getByRole('button', { name: 'Buy $9.99' }));
  expect(receivedEvents).toEqual([{ type: 'go', to: '/title/purchase?titleid=1001', replace: false }]);
});

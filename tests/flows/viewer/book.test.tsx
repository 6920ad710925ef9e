import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answers } from '../../support/views/flow.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { contents, locator, look, opened } from '../../support/views/titles.ts';
import { startViewer } from '../../support/views/viewer.tsx';

const openBook = async (more: { sample?: boolean } = {}) => {
  const params: Record<string, string> = more.sample ? { instanceid: '1001', sample: '1' } : { instanceid: 'i-1' };
  const viewer = await startViewer(answers(opened('epub', more)), params);
  viewer.sayBook({ type: 'book.opened', contents });
  viewer.sayBook({ type: 'book.moved', locator: locator() });
  return viewer;
};

const mountPoint = (container: HTMLElement) => container.querySelector<HTMLElement>('[data-mount-point="book"]');
const regions = (container: HTMLElement) => stateOf(container, 'book') as { reading: Record<string, string> };
const turn = (direction: string) => ({ type: 'book.turn', direction });

test('the mount point stays the same element when the book fails and opens again', async () => {
  const { container, sayBook } = await startViewer(answers(opened('epub')));
  const first = mountPoint(container);
  expect(first).not.toBeNull();
  expect(container.textContent).toContain('Opening the book');
  sayBook({ type: 'book.opened', contents });
  expect(container.textContent).not.toContain('Opening the book');
  sayBook({ type: 'book.ended' });
  sayBook({ type: 'book.failed', problem: { kind: 'offline' } });
  expect(screen.getByRole('alert').textContent).toContain('internet connection');
  await userEvent.click(pressable(container, 'retry.pressed'));
  expect(mountPoint(container)).toBe(first);
});

test('the position is announced politely and shown by the slider', async () => {
  const { container } = await openBook();
  const slider = screen.getByLabelText<HTMLInputElement>('Place in the book');
  expect(slider.value).toBe('0.12');
  expect(slider.getAttribute('aria-valuetext')).toBe('12%');
  const place = container.querySelector('[aria-live="polite"]');
  expect(place?.textContent).toBe('The second crossingPage 3 of 120 · 12%');
});

test('keys turn pages without anything being pressed first', async () => {
  const { container, pages } = await openBook();
  expect(document.activeElement).toBe(mountPoint(container));
  await userEvent.keyboard('{ArrowRight}{PageDown}[Space]{ArrowLeft}{PageUp}{Shift>}[Space]{/Shift}');
  expect(pages).toEqual([turn('next'), turn('next'), turn('next'), turn('previous'), turn('previous'), turn('previous')]);
});

test('keys find the page again when what was focused has gone', async () => {
  const { container, pages } = await openBook();
  mountPoint(container)?.blur();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{ArrowRight}');
  expect(pages).toEqual([turn('next')]);
  expect(document.activeElement).toBe(mountPoint(container));
});

test('keys that the engine has handled are not handled twice', async () => {
  const { container, pages } = await openBook();
  mountPoint(container)?.addEventListener('keydown', (press) => press.preventDefault());
  await userEvent.keyboard('{ArrowRight}');
  expect(pages).toEqual([]);
});

test('keys of fields, buttons and the browser are left to them', async () => {
  const { container, pages } = await openBook();
  const slider = screen.getByLabelText('Place in the book');
  for (const key of ['ArrowRight', 'PageDown', ' ']) fireEvent.keyDown(slider, { key });
  mountPoint(container)?.focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(pages).toEqual([]);
  screen.getByRole('button', { name: 'Next page' }).focus();
  await userEvent.keyboard('[Space]');
  expect(pages).toEqual([turn('next')]);
});

test('the slider goes to a position when it is released', async () => {
  const { pages } = await openBook();
  const slider = screen.getByLabelText('Place in the book');
  fireEvent.input(slider, { target: { value: '0.5' } });
  expect(pages).toEqual([]);
  fireEvent.change(slider, { target: { value: '0.6' } });
  expect(pages).toEqual([{ type: 'book.goToFraction', fraction: 0.6 }]);
});

test('contents open with the current chapter focused; choosing one goes there and gives the focus back', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(pressable(container, 'contents.pressed'));
  const current = screen.getByRole('button', { name: 'The second crossing' });
  expect(current.getAttribute('aria-current')).toBe('location');
  expect(document.activeElement).toBe(current);
  await userEvent.click(screen.getByRole('button', { name: 'Fog' }));
  expect(pages).toEqual([{ type: 'book.goTo', href: 'chapter-2.xhtml#fog' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{ArrowRight}');
  expect(pages.at(-1)).toEqual(turn('next'));
});

test('a panel that the browser has closed is closed for the book too', async () => {
  const { container } = await openBook();
  await userEvent.click(pressable(container, 'settings.pressed'));
  fireEvent(screen.getByRole('dialog', { name: 'Reading settings' }), new Event('close'));
  expect(regions(container).reading['panel']).toBe('closed');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a press beside a panel closes it, one in it does not', async () => {
  const { container } = await openBook();
  await userEvent.click(pressable(container, 'settings.pressed'));
  await userEvent.click(screen.getByRole('heading', { name: 'Reading settings' }));
  expect(regions(container).reading['panel']).toBe('settings');
  await userEvent.click(screen.getByRole('dialog'));
  expect(regions(container).reading['panel']).toBe('closed');
});

test('text size changes in steps of 10%', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(pressable(container, 'settings.pressed'));
  await userEvent.click(pressable(container, 'look.chosen', 'larger'));
  expect(pages).toEqual([{ type: 'book.look', look: { ...look, fontScale: 1.1 } }]);
});

test('the paper changes colour, on the page and around it', async () => {
  const { container, pages } = await openBook();
  await userEvent.click(pressable(container, 'settings.pressed'));
  await userEvent.click(screen.getByRole('radio', { name: 'Sepia' }));
  expect(pages.at(-1)).toEqual({ type: 'book.look', look: { fontScale: 1, theme: 'sepia' } });
  const root = container.querySelector('[data-flow="book"]');
  expect(root && getComputedStyle(root).getPropertyValue('--paper')).toBe('#f6ecd8');
});

test('hidden bars cannot be reached, and come back by a key', async () => {
  const { container, sayBook } = await openBook();
  sayBook({ type: 'book.controlsRequested' });
  expect(container.querySelector('header')?.hasAttribute('inert')).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(container.querySelector('header')?.hasAttribute('inert')).toBe(false);
});

test('the end leads back to the library', async () => {
  const { container, sayBook } = await openBook();
  sayBook({ type: 'book.ended' });
  expect(screen.getByRole('heading', { name: 'The end' })).toBeDefined();
  const back = screen.getByRole('button', { name: 'Back to My Library' });
  await userEvent.click(back);
  expect(stateOf(container, 'book')).toBe('closing');
});

test("a sample's end offers the whole title", async () => {
  const { sayBook, told } = await openBook({ sample: true });
  sayBook({ type: 'book.ended' });
  await userEvent.click(screen.getByRole('button', { name: 'Buy the whole title' }));
  expect(told).toEqual([{ type: 'go', to: '/title/purchase?titleid=1001', replace: false }]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocusInScreen } from '../../src/ui/keep-focus.ts';

const renderHeading = (heading: string): void => {
  document.body.innerHTML = `<main id="main" tabindex="-1"><h1>${heading}</h1><button>Go on</button></main>`;
};
const scrollSpy = vi.fn<() => void>();

beforeEach(() => vi.stubGlobal('scrollTo', scrollSpy));
afterEach(() => {
  document.body.innerHTML = '';
  scrollSpy.mockClear();
  vi.unstubAllGlobals();
});

test('the screen that follows a pressed button takes the focus, and is scrolled to its top', async () => {
  renderHeading('Give as a gift');
  const passFocus = keepFocusInScreen();
  renderHeading('Your gift');
  passFocus();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrollSpy).toHaveBeenCalledWith(0, 0);
});

test('a button that disappears from its screen does not scroll the page', async () => {
  renderHeading('Your purchase');
  const passFocus = keepFocusInScreen();
  document.querySelector('button')?.remove();
  passFocus();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrollSpy).not.toHaveBeenCalled();
});

test('a focus that is already elsewhere stays there', async () => {
  renderHeading('Your purchase');
  const passFocus = keepFocusInScreen();
  renderHeading('Thank you!');
  document.querySelector('button')?.focus();
  passFocus();
  await new Promise(setImmediate);
  expect(document.activeElement?.tagName).toBe('BUTTON');
  expect(scrollSpy).not.toHaveBeenCalled();
});

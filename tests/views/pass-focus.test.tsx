import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocusInScreen } from '../../src/ui/pass-focus.ts';

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

test('the screen that follows a pressed button takes the focus, and is read from its top', async () => {
  renderHeading('Give as a gift');
  const gone = keepFocusInScreen();
  renderHeading('Your gift');
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrollSpy).toHaveBeenCalledWith(0, 0);
});

test('a button that leaves its screen does not scroll the page', async () => {
  renderHeading('Your purchase');
  const gone = keepFocusInScreen();
  document.querySelector('button')?.remove();
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrollSpy).not.toHaveBeenCalled();
});

test('a focus elsewhere stays there', async () => {
  renderHeading('Your purchase');
  const gone = keepFocusInScreen();
  renderHeading('Thank you!');
  document.querySelector('button')?.focus();
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.tagName).toBe('BUTTON');
  expect(scrollSpy).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passFocus } from '../../src/ui/pass-focus.ts';

const drawn = (heading: string): void => {
  document.body.innerHTML = `<main id="main" tabindex="-1"><h1>${heading}</h1><button>Go on</button></main>`;
};
const scrolled = vi.fn<() => void>();

beforeEach(() => vi.stubGlobal('scrollTo', scrolled));
afterEach(() => {
  document.body.innerHTML = '';
  scrolled.mockClear();
  vi.unstubAllGlobals();
});

test('the screen that follows a pressed button has the focus, and is read from its top', async () => {
  drawn('Give as a gift');
  const gone = passFocus();
  drawn('Your gift');
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrolled).toHaveBeenCalledWith(0, 0);
});

test('a button that goes from its screen leaves the page where it is', async () => {
  drawn('Your purchase');
  const gone = passFocus();
  document.querySelector('button')?.remove();
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.id).toBe('main');
  expect(scrolled).not.toHaveBeenCalled();
});

test('a focus that is somewhere stays there', async () => {
  drawn('Your purchase');
  const gone = passFocus();
  drawn('Thank you!');
  document.querySelector('button')?.focus();
  gone();
  await new Promise(setImmediate);
  expect(document.activeElement?.tagName).toBe('BUTTON');
  expect(scrolled).not.toHaveBeenCalled();
});

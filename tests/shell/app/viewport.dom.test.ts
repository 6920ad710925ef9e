import { expect, test, vi } from 'vitest';

/** The media queries of a window of a width. */
const windowOf = (width: number) => (query: string) => ({
  matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1]),
});

test.each([
  [1221, 'desktop'],
  [1220, 'tablet'],
  [768, 'tablet'],
  [767, 'mobile'],
])('%d pixels are a %s [S2.layout]', async (width, layout) => {
  vi.resetModules();
  vi.stubGlobal('matchMedia', windowOf(width));
  const { layoutNow } = await import('../../../src/shell/viewport.ts');
  expect(layoutNow()).toBe(layout);
  vi.unstubAllGlobals();
});

import { vi } from 'vitest';

/** Widths in pixels of a phone, a tablet and a desktop. */
export const widths = [390, 820, 1366] as const;
export type Width = (typeof widths)[number];

const pixelsPerUnit = { px: 1, em: 16, rem: 16 };

/** Whether a media query about widths matches; other queries, such as print, never match. */
const matchesQuery = (query: string, width: number): boolean => {
  const limits = [...query.matchAll(/\((min|max)-width:\s*([\d.]+)(px|r?em)\)/g)];
  return (
    limits.length > 0 &&
    limits.every(([, bound, count, unit]) => {
      const pixels = Number(count) * pixelsPerUnit[unit as keyof typeof pixelsPerUnit];
      return bound === 'min' ? width >= pixels : width <= pixels;
    })
  );
};

/** Sets the window's width and notifies media query listeners. */
export const setWindowWidth = (width: Width): void => {
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('outerWidth', width);
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: matchesQuery(media, width), onchange: null }),
  );
  Object.defineProperty(document.documentElement, 'clientWidth', { value: width, configurable: true });
};

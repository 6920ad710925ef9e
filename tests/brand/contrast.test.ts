import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAppearance, backgrounds, barThemes, defaultAppearance } from '../../machines/model/store/appearance.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { createBrandColors, type BrandColors } from '../../src/brand/brand.ts';
import { getContrast, toCssColor, parseColor, minTextContrast, type Rgb } from '../../src/brand/color.ts';
import { palettes } from '../../src/brand/palettes.ts';

const random = seededRandom(20261121);
const randomByte = (): number => Math.floor(random() * 256);
const storeColors = Array.from({ length: 1_000 }, () => toCssColor([randomByte(), randomByte(), randomByte()]));

const parseRgb = (text: string): Rgb => {
  const color = parseColor(text);
  if (!color) throw new Error(`Not a colour: ${text}`);
  return color;
};

const findUnreadable = (colors: BrandColors, palette: (typeof palettes)['paper']): string[] => {
  const surfaceNames = ['paper', 'surface', 'sunken'] as const;
  const pairs: [string, Rgb, Rgb][] = [
    ['text on the accent', parseRgb(colors.accentText), parseRgb(colors.accent)],
    ['text on the pressed accent', parseRgb(colors.accentDeepText), parseRgb(colors.accentDeep)],
    ['the accent as text on itself', parseRgb(colors.accentInk), parseRgb(colors.accentSoft)],
    ['text on the soft accent', palette.ink, parseRgb(colors.accentSoft)],
    ['the footer', parseRgb(colors.footerText), parseRgb(colors.footer)],
    ['the top bar', parseRgb(colors.topBarText), parseRgb(colors.topBar)],
    ['the sidebar', parseRgb(colors.sidebarText), parseRgb(colors.sidebar)],
    ...surfaceNames.map((name): [string, Rgb, Rgb] => [`the accent on ${name}`, parseRgb(colors.accentInk), palette[name]]),
  ];
  return pairs.filter(([, text, background]) => getContrast(text, background) < minTextContrast).map(([name]) => name);
};

describe('1,000 random store colours [S4.sidebar-colour]', () => {
  test.each(backgrounds)('text is legible in every store colour, on the background %s', (background) => {
    const appearance = { ...defaultAppearance, topBar: 'store' as const, background };
    const unreadablePairs = storeColors.flatMap((color) =>
      findUnreadable(createBrandColors(color, appearance), palettes[background]).map((pairName) => `${color}: ${pairName}`),
    );
    expect(unreadablePairs).toEqual([]);
  });

  test('text is legible in the footer and the sidebar of a store that sets their colours', () => {
    const unreadablePairs = storeColors.flatMap((color) =>
      findUnreadable(createBrandColors('#0f6b6b', defaultAppearance, { footer: color, sidebar: color }), palettes.paper),
    );
    expect(unreadablePairs).toEqual([]);
  });
});

describe('themes [S9.theme-sets]', () => {
  test('there are seven bar themes and three layout themes', () => {
    expect([barThemes.length, backgrounds.length]).toEqual([7, 3]);
  });

  test.each(backgrounds)('text in every colour but the accent is legible on the background %s', (background) => {
    const palette = palettes[background];
    const surfaces = [palette.paper, palette.surface, palette.sunken];
    for (const text of [palette.ink, palette.inkMuted])
      for (const surface of surfaces) expect(getContrast(text, surface)).toBeGreaterThan(minTextContrast);
    expect(getContrast(palette.danger, palette.dangerSoft)).toBeGreaterThan(minTextContrast);
    expect(getContrast(palette.success, palette.successSoft)).toBeGreaterThan(minTextContrast);
    // Non-text parts, such as the border of a field, need less contrast (WCAG 2.2, 1.4.11).
    expect(getContrast(palette.lineStrong, palette.paper)).toBeGreaterThan(3);
  });

  test.each(barThemes)('the bars are legible in %s, on every background', (bar) => {
    for (const background of backgrounds) {
      const colors = createBrandColors('#0f6b6b', { topBar: bar, sidebar: bar, background });
      expect(getContrast(parseRgb(colors.topBarText), parseRgb(colors.topBar))).toBeGreaterThan(minTextContrast);
      expect(getContrast(parseRgb(colors.sidebarText), parseRgb(colors.sidebar))).toBeGreaterThan(minTextContrast);
    }
  });

  test('index.html declares the colours of the default theme, for the time until the store is loaded', () => {
    const page = readFileSync('index.html', 'utf8');
    const declaredColors = Object.fromEntries(
      [...page.matchAll(/--brand-(\w+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]),
    );
    const defaultPalette = Object.fromEntries(Object.entries(palettes.paper).map(([name, color]) => [name, toCssColor(color)]));
    expect(declaredColors).toEqual({ ...defaultPalette, ...createBrandColors('') });
  });

  test.each([
    ['chrome.navy.night', { sidebar: 'navy', background: 'night' }],
    ['..night', { background: 'night' }],
    ['something else', {}],
    ['', {}],
    ['paper.store.paper', { topBar: 'paper' }],
  ])('unknown parts of the stored theme “%s” fall back to the default theme', (text, expectedParts) => {
    expect(parseAppearance(text)).toEqual({ ...defaultAppearance, ...expectedParts });
  });
});

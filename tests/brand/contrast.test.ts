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

const findUnreadable = (colors: BrandColors, ground: (typeof palettes)['paper']): string[] => {
  const onGround = ['paper', 'surface', 'sunken'] as const;
  const pairs: [string, Rgb, Rgb][] = [
    ['text on the accent', parseRgb(colors.accentText), parseRgb(colors.accent)],
    ['text on the pressed accent', parseRgb(colors.accentDeepText), parseRgb(colors.accentDeep)],
    ['the accent as text on itself', parseRgb(colors.accentInk), parseRgb(colors.accentSoft)],
    ['text on the soft accent', ground.ink, parseRgb(colors.accentSoft)],
    ['the foot', parseRgb(colors.footerText), parseRgb(colors.footer)],
    ['the top bar', parseRgb(colors.topBarText), parseRgb(colors.topBar)],
    ['the sidebar', parseRgb(colors.sidebarText), parseRgb(colors.sidebar)],
    ...onGround.map((name): [string, Rgb, Rgb] => [`the accent on ${name}`, parseRgb(colors.accentInk), ground[name]]),
  ];
  return pairs.filter(([, text, on]) => getContrast(text, on) < minTextContrast).map(([name]) => name);
};

describe('text is legible on 1,000 store colours [S4.sidebar-colour]', () => {
  test.each(backgrounds)('on the background %s', (background) => {
    const look = { ...defaultAppearance, topBar: 'store' as const, background };
    const bad = storeColors.flatMap((color) =>
      findUnreadable(createBrandColors(color, look), palettes[background]).map((what) => `${color}: ${what}`),
    );
    expect(bad).toEqual([]);
  });

  test('in the footer and the sidebar of a store that sets their colours', () => {
    const bad = storeColors.flatMap((color) =>
      findUnreadable(createBrandColors('#0f6b6b', defaultAppearance, { footer: color, sidebar: color }), palettes.paper),
    );
    expect(bad).toEqual([]);
  });
});

describe('themes [S9.theme-sets]', () => {
  test('there are seven bar themes and three layout themes', () => {
    expect([barThemes.length, backgrounds.length]).toEqual([7, 3]);
  });

  test.each(backgrounds)('all colours but the accent are legible on %s', (background) => {
    const ground = palettes[background];
    const on = [ground.paper, ground.surface, ground.sunken];
    for (const text of [ground.ink, ground.inkMuted])
      for (const each of on) expect(getContrast(text, each)).toBeGreaterThan(minTextContrast);
    expect(getContrast(ground.danger, ground.dangerSoft)).toBeGreaterThan(minTextContrast);
    expect(getContrast(ground.success, ground.successSoft)).toBeGreaterThan(minTextContrast);
    // Non-text parts, such as the border of a field, need less contrast (WCAG 2.2, 1.4.11).
    expect(getContrast(ground.lineStrong, ground.paper)).toBeGreaterThan(3);
  });

  test.each(barThemes)('the bars are legible in %s, on every background', (bar) => {
    for (const background of backgrounds) {
      const colors = createBrandColors('#0f6b6b', { topBar: bar, sidebar: bar, background });
      expect(getContrast(parseRgb(colors.topBarText), parseRgb(colors.topBar))).toBeGreaterThan(minTextContrast);
      expect(getContrast(parseRgb(colors.sidebarText), parseRgb(colors.sidebar))).toBeGreaterThan(minTextContrast);
    }
  });

  test('the page sets the default theme until the shop knows its own', () => {
    const page = readFileSync('index.html', 'utf8');
    const set = Object.fromEntries([...page.matchAll(/--brand-(\w+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]));
    const usual = Object.fromEntries(Object.entries(palettes.paper).map(([name, color]) => [name, toCssColor(color)]));
    expect(set).toEqual({ ...usual, ...createBrandColors('') });
  });

  test.each([
    ['chrome.navy.night', { sidebar: 'navy', background: 'night' }],
    ['..night', { background: 'night' }],
    ['something else', {}],
    ['', {}],
    ['paper.store.paper', { topBar: 'paper' }],
  ])('parts of “%s” that are not a theme, or no longer one, fall back to the default', (text, kept) => {
    expect(parseAppearance(text)).toEqual({ ...defaultAppearance, ...kept });
  });
});

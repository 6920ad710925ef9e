import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { appearanceOf, backgrounds, barThemes, usualAppearance } from '../../machines/model/store/appearance.ts';
import { seeded } from '../../machines/paths/walk.ts';
import { brandColors, type BrandColors } from '../../src/brand/brand.ts';
import { contrast, cssColor, parseColor, readable, type Rgb } from '../../src/brand/color.ts';
import { palettes } from '../../src/brand/palettes.ts';

const random = seeded(20261121);
const part = (): number => Math.floor(random() * 256);
const storeColors = Array.from({ length: 1_000 }, () => cssColor([part(), part(), part()]));

const rgb = (text: string): Rgb => {
  const color = parseColor(text);
  if (!color) throw new Error(`${text} is no colour.`);
  return color;
};

const unreadable = (colors: BrandColors, ground: (typeof palettes)['paper']): string[] => {
  const onGround = ['paper', 'surface', 'sunken'] as const;
  const pairs: [string, Rgb, Rgb][] = [
    ['text on the accent', rgb(colors.accentText), rgb(colors.accent)],
    ['text on the pressed accent', rgb(colors.accentDeepText), rgb(colors.accentDeep)],
    ['the accent as text on itself', rgb(colors.accentInk), rgb(colors.accentSoft)],
    ['text on the soft accent', ground.ink, rgb(colors.accentSoft)],
    ['the foot', rgb(colors.footerText), rgb(colors.footer)],
    ['the top bar', rgb(colors.topBarText), rgb(colors.topBar)],
    ['the sidebar', rgb(colors.sidebarText), rgb(colors.sidebar)],
    ...onGround.map((name): [string, Rgb, Rgb] => [`the accent on ${name}`, rgb(colors.accentInk), ground[name]]),
  ];
  return pairs.filter(([, text, on]) => contrast(text, on) < readable).map(([name]) => name);
};

describe('text can be read on 1,000 store colours [S4.sidebar-colour]', () => {
  test.each(backgrounds)('on the background %s', (background) => {
    const look = { ...usualAppearance, topBar: 'store' as const, background };
    const bad = storeColors.flatMap((color) =>
      unreadable(brandColors(color, look), palettes[background]).map((what) => `${color}: ${what}`),
    );
    expect(bad).toEqual([]);
  });

  test('in the foot and the sidebar of a store that set them itself', () => {
    const bad = storeColors.flatMap((color) =>
      unreadable(brandColors('#0f6b6b', usualAppearance, { footer: color, sidebar: color }), palettes.paper),
    );
    expect(bad).toEqual([]);
  });
});

describe('themes [S9.theme-sets]', () => {
  test('there are seven of bars and three of the layout', () => {
    expect([barThemes.length, backgrounds.length]).toEqual([7, 3]);
  });

  test.each(backgrounds)('everything but the accent can be read on %s', (background) => {
    const ground = palettes[background];
    const on = [ground.paper, ground.surface, ground.sunken];
    for (const text of [ground.ink, ground.inkMuted])
      for (const each of on) expect(contrast(text, each)).toBeGreaterThan(readable);
    expect(contrast(ground.danger, ground.dangerSoft)).toBeGreaterThan(readable);
    expect(contrast(ground.success, ground.successSoft)).toBeGreaterThan(readable);
    // What only has to be seen, as the border of a field, needs less (WCAG 2.2, 1.4.11).
    expect(contrast(ground.lineStrong, ground.paper)).toBeGreaterThan(3);
  });

  test.each(barThemes)('the bars can be read in %s, on every background', (bar) => {
    for (const background of backgrounds) {
      const colors = brandColors('#0f6b6b', { topBar: bar, sidebar: bar, background });
      expect(contrast(rgb(colors.topBarText), rgb(colors.topBar))).toBeGreaterThan(readable);
      expect(contrast(rgb(colors.sidebarText), rgb(colors.sidebar))).toBeGreaterThan(readable);
    }
  });

  test('the page itself sets the usual look, for the moment before the shop knows its own', () => {
    const page = readFileSync('index.html', 'utf8');
    const set = Object.fromEntries([...page.matchAll(/--brand-(\w+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]));
    const usual = Object.fromEntries(Object.entries(palettes.paper).map(([name, color]) => [name, cssColor(color)]));
    expect(set).toEqual({ ...usual, ...brandColors('') });
  });

  test.each([
    ['chrome.navy.night', { sidebar: 'navy', background: 'night' }],
    ['..night', { background: 'night' }],
    ['something else', {}],
    ['', {}],
    ['paper.store.paper', { topBar: 'paper' }],
  ])('of “%s” what is no theme, or no longer, is the usual one', (text, kept) => {
    expect(appearanceOf(text)).toEqual({ ...usualAppearance, ...kept });
  });
});

/**
 * Contrast of controls in every state and any store colour. The page is rendered once with a
 * distinct colour for each token; the computed colours name the tokens that meet, and their
 * contrast is calculated for a thousand stores.
 */
import type { CDPSession, Page } from '@playwright/test';
import { backgrounds, defaultAppearance, type Background } from '../../../machines/model/store/appearance.ts';
import { seededRandom } from '../../../machines/paths/walk.ts';
import { createBrandColors } from '../../../src/brand/brand.ts';
import { getContrast, toCssColor, mix, parseColor, minTextContrast, type Rgb } from '../../../src/brand/color.ts';
import { palettes } from '../../../src/brand/palettes.ts';
import { waitUntilSettled } from '../pages/axe.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { expect, test } from '../support/shop.ts';

const pages = [
  '/',
  '/all?free=true',
  '/all/fiction',
  '/id:1001',
  '/title/purchase?titleid=1001',
  '/signup',
  '/account',
  '/mylibrary',
];

const controlStates = {
  'at rest': [],
  hovered: ['hover'],
  focused: ['focus', 'focus-visible'],
  pressed: ['hover', 'active'],
  disabled: [],
} satisfies Record<string, string[]>;
type State = keyof typeof controlStates;

/**
 * A text as it is drawn: its colour, its background, the opacity of both, and the layers below a
 * translucent background.
 */
type DrawnText = { text: string; ground: string; under: string; opacity: number; at: string };

const tokens = Object.keys({ ...palettes.paper, ...createBrandColors('') });
/** A colour that no other token has. */
const tokenColor = (token: string): Rgb => [201, 17 + tokens.indexOf(token), 3];
const tokenOfColor = (color: string): string => {
  const rgb = parseColor(color);
  return tokens.find((token) => rgb !== null && toCssColor(tokenColor(token)) === toCssColor(rgb)) ?? color;
};

const markTokens = (page: Page): Promise<unknown> =>
  page.addStyleTag({
    content: `:root{${tokens.map((token) => `--brand-${token}:${toCssColor(tokenColor(token))}!important`).join(';')}}
      *,*::before,*::after{transition:none!important;animation:none!important}`,
  });

const controlSelector = 'a[href], button, select, input, textarea, summary';

const forcePseudoClasses = async (cdp: CDPSession, forcedPseudoClasses: string[]): Promise<void> => {
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: controlSelector });
  for (const nodeId of nodeIds) await cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
};

/** The texts of all visible controls, as they are drawn now. */
const readDrawnTexts = (page: Page, disabled: boolean): Promise<DrawnText[]> =>
  page.evaluate(
    ([selector, isDisabled]) => {
      const clear = (color: string): boolean => /^rgba\(.*, 0\)$|^transparent$/.test(color);
      const groundOf = (from: Element | null): [string, Element | null] => {
        for (let at = from; at !== null; at = at.parentElement) {
          const { backgroundColor } = getComputedStyle(at);
          if (!clear(backgroundColor)) return [backgroundColor, at];
        }
        return ['rgb(255, 255, 255)', null];
      };
      const found: DrawnText[] = [];
      for (const control of document.querySelectorAll<HTMLElement>(selector)) {
        if (!control.checkVisibility({ visibilityProperty: true })) continue;
        if (isDisabled) {
          if (!('disabled' in control)) continue;
          control.disabled = true;
        }
        for (const element of [control, ...control.querySelectorAll('*')]) {
          const isField = element.matches('input, select, textarea');
          const hasText = [...element.childNodes].some(
            ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== '',
          );
          if (!hasText && !isField) continue;
          if (element.matches('[type=radio], [type=checkbox], option') || !element.checkVisibility()) continue;
          let opacity = 1;
          for (let at: Element | null = element; at !== null; at = at.parentElement)
            opacity *= Number(getComputedStyle(at).opacity);
          const [ground, holder] = groundOf(element);
          const [under] = groundOf(holder?.parentElement ?? null);
          const at = `${control.tagName.toLowerCase()} “${(control.textContent ?? '').trim().slice(0, 30)}”`;
          found.push({ text: getComputedStyle(element).color, ground, under, opacity, at });
        }
        if (isDisabled && 'disabled' in control) control.disabled = false;
      }
      return found;
    },
    [controlSelector, disabled] as const,
  );

const random = seededRandom(20261122);
const randomByte = (): number => Math.floor(random() * 256);
const storeColors = Array.from({ length: 1_000 }, () => toCssColor([randomByte(), randomByte(), randomByte()]));

/** The token colours in a store whose bars have its own colour. */
const paletteOf = (store: string, background: Background): Record<string, Rgb> => ({
  ...palettes[background],
  ...Object.fromEntries(
    Object.entries(createBrandColors(store, { ...defaultAppearance, topBar: 'store', sidebar: 'store', background })).map(
      ([token, color]) => [token, parseColor(color) as Rgb],
    ),
  ),
});

const storePalettes = backgrounds.flatMap((background) =>
  storeColors.map((store) => [`${store} on ${background}`, paletteOf(store, background)] as const),
);

/** The lowest contrast of a text over all stores, with its place. */
const worstContrast = ({ text, ground, under, opacity }: DrawnText): [number, string] => {
  const names = [text, ground, under].map(tokenOfColor);
  let least: [number, string] = [Infinity, ''];
  for (const [store, colors] of storePalettes) {
    const [ink, paper, below] = names.map((name) => colors[name] ?? parseColor(name)) as (Rgb | null)[];
    if (!ink || !paper || !below) throw new Error(`${names.join(', ')}: colours that belong to no token`);
    const seen = getContrast(mix(below, ink, opacity), mix(below, paper, opacity));
    if (seen < least[0]) least = [seen, store];
  }
  return least;
};

test('texts of controls are legible at rest, hovered, focused, pressed, current and disabled, in 1,000 store colours [S4.sidebar-colour]', async ({
  page,
  context,
  shop,
}) => {
  test.setTimeout(120_000);
  const customer = await Customer.signUp(shop);
  await customer.buy('1008');
  await customer.signInBrowser(context);
  const cdp = await context.newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const found = new Map<string, string>();
  let texts = 0;
  for (const path of pages) {
    await page.goto(path);
    await waitUntilSettled(page, path);
    await markTokens(page);
    for (const [state, pseudo] of Object.entries(controlStates) as [State, string[]][]) {
      await forcePseudoClasses(cdp, pseudo);
      for (const each of await readDrawnTexts(page, state === 'disabled')) {
        const key = [tokenOfColor(each.text), tokenOfColor(each.ground), tokenOfColor(each.under), each.opacity, state].join(' ');
        if (found.has(key)) continue;
        const [least, store] = worstContrast(each);
        texts += 1;
        found.set(key, least < minTextContrast ? `${path}: ${each.at} ${state}: ${key} has ${least.toFixed(2)} in ${store}` : '');
      }
    }
  }
  expect([...found.values()].filter((what) => what !== '')).toEqual([]);
  expect(texts).toBeGreaterThan(40);
});

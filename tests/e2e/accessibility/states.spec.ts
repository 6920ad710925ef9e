/**
 * Contrast of controls in every state and any store colour. The page is rendered once with a
 * distinct colour for each token; the computed colours tell which tokens are drawn on each other,
 * and the contrast of these is calculated for a thousand store colours.
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
 * The colours of a text as it is drawn: `ground` is its background, `under` the colour below a
 * translucent background, `opacity` that of text and background; `label` describes the control.
 */
type DrawnText = { text: string; ground: string; under: string; opacity: number; label: string };

const tokens = Object.keys({ ...palettes.paper, ...createBrandColors('') });
/** Returns a colour that no other token has. */
const getTokenColor = (token: string): Rgb => [201, 17 + tokens.indexOf(token), 3];
const findToken = (color: string): string => {
  const rgb = parseColor(color);
  return tokens.find((token) => rgb !== null && toCssColor(getTokenColor(token)) === toCssColor(rgb)) ?? color;
};

const markTokens = (page: Page): Promise<unknown> =>
  page.addStyleTag({
    content: `:root{${tokens.map((token) => `--brand-${token}:${toCssColor(getTokenColor(token))}!important`).join(';')}}
      *,*::before,*::after{transition:none!important;animation:none!important}`,
  });

const controlSelector = 'a[href], button, select, input, textarea, summary';

const forcePseudoClasses = async (cdp: CDPSession, forcedPseudoClasses: string[]): Promise<void> => {
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: controlSelector });
  for (const nodeId of nodeIds) await cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
};

/** Reads the texts of all visible controls, as they are drawn now. */
const readDrawnTexts = (page: Page, disabled: boolean): Promise<DrawnText[]> =>
  page.evaluate(
    ([selector, isDisabled]) => {
      const isTransparent = (color: string): boolean => /^rgba\(.*, 0\)$|^transparent$/.test(color);
      const findGround = (start: Element | null): [string, Element | null] => {
        for (let at = start; at !== null; at = at.parentElement) {
          const { backgroundColor } = getComputedStyle(at);
          if (!isTransparent(backgroundColor)) return [backgroundColor, at];
        }
        return ['rgb(255, 255, 255)', null];
      };
      const drawnTexts: DrawnText[] = [];
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
          const [ground, holder] = findGround(element);
          const [under] = findGround(holder?.parentElement ?? null);
          const label = `${control.tagName.toLowerCase()} “${(control.textContent ?? '').trim().slice(0, 30)}”`;
          drawnTexts.push({ text: getComputedStyle(element).color, ground, under, opacity, label });
        }
        if (isDisabled && 'disabled' in control) control.disabled = false;
      }
      return drawnTexts;
    },
    [controlSelector, disabled] as const,
  );

const nextRandom = seededRandom(20261122);
const randomByte = (): number => Math.floor(nextRandom() * 256);
const storeColors = Array.from({ length: 1_000 }, () => toCssColor([randomByte(), randomByte(), randomByte()]));

/** Creates the token colours of a store of which the bars have the store's colour. */
const createPalette = (storeColor: string, background: Background): Record<string, Rgb> => ({
  ...palettes[background],
  ...Object.fromEntries(
    Object.entries(createBrandColors(storeColor, { ...defaultAppearance, topBar: 'store', sidebar: 'store', background })).map(
      ([token, color]) => [token, parseColor(color) as Rgb],
    ),
  ),
});

const storePalettes = backgrounds.flatMap((background) =>
  storeColors.map((store) => [`${store} on ${background}`, createPalette(store, background)] as const),
);

/** Returns the lowest contrast of a text in all store colours, and the store with that contrast. */
const findWorstContrast = ({ text, ground, under, opacity }: DrawnText): [number, string] => {
  const names = [text, ground, under].map(findToken);
  let lowest: [number, string] = [Infinity, ''];
  for (const [store, colors] of storePalettes) {
    const [ink, paper, below] = names.map((name) => colors[name] ?? parseColor(name)) as (Rgb | null)[];
    if (!ink || !paper || !below) throw new Error(`${names.join(', ')}: each must be a token or a CSS colour.`);
    const contrast = getContrast(mix(below, ink, opacity), mix(below, paper, opacity));
    if (contrast < lowest[0]) lowest = [contrast, store];
  }
  return lowest;
};

test('texts of controls are legible at rest, hovered, focused, pressed and disabled, in 1,000 store colours [S4.sidebar-colour]', async ({
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
  const resultsByKey = new Map<string, string>();
  let checkedCount = 0;
  for (const path of pages) {
    await page.goto(path);
    await waitUntilSettled(page, path);
    await markTokens(page);
    for (const [state, pseudo] of Object.entries(controlStates) as [State, string[]][]) {
      await forcePseudoClasses(cdp, pseudo);
      for (const drawnText of await readDrawnTexts(page, state === 'disabled')) {
        const { text, ground, under, opacity, label } = drawnText;
        const key = [findToken(text), findToken(ground), findToken(under), opacity, state].join(' ');
        if (resultsByKey.has(key)) continue;
        const [lowest, store] = findWorstContrast(drawnText);
        checkedCount += 1;
        const finding = `${path}: ${label} ${state}: ${key} has ${lowest.toFixed(2)} in ${store}`;
        resultsByKey.set(key, lowest < minTextContrast ? finding : '');
      }
    }
  }
  expect([...resultsByKey.values()].filter((result) => result !== '')).toEqual([]);
  expect(checkedCount).toBeGreaterThan(40);
});

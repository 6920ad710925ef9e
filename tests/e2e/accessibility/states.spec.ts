/**
 * Controls in every state, in any colour of a store. The page is drawn once with a colour of its own for each token; what the
 * browser then says it draws names the tokens that meet, and their contrast is worked out for a thousand stores.
 */
import type { CDPSession, Page } from '@playwright/test';
import { backgrounds, usualAppearance, type Background } from '../../../machines/model/store/appearance.ts';
import { seeded } from '../../../machines/paths/walk.ts';
import { brandColors } from '../../../src/brand/brand.ts';
import { contrast, cssColor, mix, parseColor, readable, type Rgb } from '../../../src/brand/color.ts';
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

const states = {
  'at rest': [],
  hovered: ['hover'],
  focused: ['focus', 'focus-visible'],
  pressed: ['hover', 'active'],
  disabled: [],
} satisfies Record<string, string[]>;
type State = keyof typeof states;

/** Text as it is drawn: its colour, the ground under it, how much of both shows, and what lies under a ground that lets through. */
type Drawn = { text: string; ground: string; under: string; opacity: number; at: string };

const tokens = Object.keys({ ...palettes.paper, ...brandColors('') });
/** A colour that nothing else has. */
const markOf = (token: string): Rgb => [201, 17 + tokens.indexOf(token), 3];
const tokenOf = (color: string): string => {
  const rgb = parseColor(color);
  return tokens.find((token) => rgb !== null && cssColor(markOf(token)) === cssColor(rgb)) ?? color;
};

const markTokens = (page: Page): Promise<unknown> =>
  page.addStyleTag({
    content: `:root{${tokens.map((token) => `--brand-${token}:${cssColor(markOf(token))}!important`).join(';')}}
      *,*::before,*::after{transition:none!important;animation:none!important}`,
  });

const controls = 'a[href], button, select, input, textarea, summary';

const force = async (cdp: CDPSession, forcedPseudoClasses: string[]): Promise<void> => {
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: controls });
  for (const nodeId of nodeIds) await cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
};

/** The texts of all controls that are to be seen, as they are drawn now. */
const drawn = (page: Page, disabled: boolean): Promise<Drawn[]> =>
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
      const found: Drawn[] = [];
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
    [controls, disabled] as const,
  );

const random = seeded(20261122);
const part = (): number => Math.floor(random() * 256);
const stores = Array.from({ length: 1_000 }, () => cssColor([part(), part(), part()]));

/** The colours of the tokens in a store that has its bars in its own colour. */
const colorsOf = (store: string, background: Background): Record<string, Rgb> => ({
  ...palettes[background],
  ...Object.fromEntries(
    Object.entries(brandColors(store, { ...usualAppearance, topBar: 'store', sidebar: 'store', background })).map(
      ([token, color]) => [token, parseColor(color) as Rgb],
    ),
  ),
});

const palettesOfStores = backgrounds.flatMap((background) =>
  stores.map((store) => [`${store} on ${background}`, colorsOf(store, background)] as const),
);

/** The worst contrast of a text over all stores, and where that is. */
const worst = ({ text, ground, under, opacity }: Drawn): [number, string] => {
  const names = [text, ground, under].map(tokenOf);
  let least: [number, string] = [Infinity, ''];
  for (const [store, colors] of palettesOfStores) {
    const [ink, paper, below] = names.map((name) => colors[name] ?? parseColor(name)) as (Rgb | null)[];
    if (!ink || !paper || !below) throw new Error(`${names.join(', ')}: colours that no token names`);
    const seen = contrast(mix(below, ink, opacity), mix(below, paper, opacity));
    if (seen < least[0]) least = [seen, store];
  }
  return least;
};

test('what a control says can be read at rest, hovered, focused, pressed, current and disabled, in 1,000 store colours [S4.sidebar-colour]', async ({
  page,
  context,
  shop,
}) => {
  test.setTimeout(120_000);
  const customer = await Customer.signUp(shop);
  await customer.buys('1008');
  await customer.uses(context);
  const cdp = await context.newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const found = new Map<string, string>();
  let texts = 0;
  for (const path of pages) {
    await page.goto(path);
    await waitUntilSettled(page, path);
    await markTokens(page);
    for (const [state, pseudo] of Object.entries(states) as [State, string[]][]) {
      await force(cdp, pseudo);
      for (const each of await drawn(page, state === 'disabled')) {
        const key = [tokenOf(each.text), tokenOf(each.ground), tokenOf(each.under), each.opacity, state].join(' ');
        if (found.has(key)) continue;
        const [least, store] = worst(each);
        texts += 1;
        found.set(key, least < readable ? `${path}: ${each.at} ${state}: ${key} has ${least.toFixed(2)} in ${store}` : '');
      }
    }
  }
  expect([...found.values()].filter((what) => what !== '')).toEqual([]);
  expect(texts).toBeGreaterThan(40);
});

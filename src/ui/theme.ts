import { createSystem, defineConfig } from '@chakra-ui/react/styled-system';
import { base } from './base.ts';

const toTokens = <Key extends string, Value>(tokens: Record<Key, Value>) =>
  Object.fromEntries(Object.entries(tokens).map(([key, value]) => [key, { value }])) as Record<Key, { value: Value }>;

/** Spacing and sizes in steps of 4 px; the layout mostly uses multiples of 8 px. */
const spacingSteps = toTokens({
  '0.5': '0.125rem',
  1: '0.25rem',
  2: '0.5rem',
  3: '0.75rem',
  4: '1rem',
  5: '1.25rem',
  6: '1.5rem',
  8: '2rem',
  10: '2.5rem',
  12: '3rem',
  16: '4rem',
  20: '5rem',
  24: '6rem',
});

/**
 * The names of the theme's colours. The page's own style sets a custom property for each;
 * `BrandProvider` overrides them by the store's colours and the chosen look.
 */
const colorNames = [
  'paper',
  'surface',
  'sunken',
  'ink',
  'inkMuted',
  'line',
  'lineStrong',
  'accent',
  'accentText',
  'accentDeep',
  'accentDeepText',
  'accentInk',
  'accentSoft',
  'footer',
  'footerText',
  'topBar',
  'topBarText',
  'sidebar',
  'sidebarText',
  'danger',
  'dangerSoft',
  'success',
  'successSoft',
] as const;

const colors = toTokens(
  Object.fromEntries(colorNames.map((name) => [name, `var(--brand-${name})`])) as Record<(typeof colorNames)[number], string>,
);

/** A tablet is wider than 767 px, a desktop wider than 1220 px, at the usual font size of 16 px. */
const breakpoints = { md: '48rem', xl: '76.3125rem' };
type Width = keyof typeof breakpoints;
export type Breakpoint = 'base' | Width | `${Width}${'Only' | 'Down'}`;

const fullSystem = createSystem(
  base,
  defineConfig({
    preflight: false,
    cssVarsPrefix: 'c',
    theme: {
      breakpoints,
      tokens: {
        colors,
        spacing: spacingSteps,
        sizes: spacingSteps,
        radii: toTokens({ sm: '4px', md: '8px', lg: '16px', full: '999px' }),
        fonts: toTokens({
          display: 'Charter, "Bitstream Charter", "Iowan Old Style", "Palatino Linotype", P052, Cambria, Georgia, serif',
          body: 'Inter, "Segoe UI", "Helvetica Neue", "Noto Sans", "Liberation Sans", system-ui, sans-serif',
        }),
        fontSizes: toTokens({
          xs: '0.8125rem',
          sm: '0.875rem',
          md: '1rem',
          lg: '1.125rem',
          xl: '1.375rem',
          '2xl': '1.75rem',
          '3xl': '2.25rem',
          '4xl': 'clamp(2.25rem, 1.4rem + 3.2vw, 3.75rem)',
        }),
        shadows: toTokens({
          cover: '0 0 0 1px var(--brand-line), 0 1px 2px rgb(31 28 24 / 0.18), 0 6px 16px -4px rgb(31 28 24 / 0.22)',
          coverRaised: '0 2px 4px rgb(31 28 24 / 0.18), 0 16px 28px -8px rgb(31 28 24 / 0.34)',
          card: '0 1px 2px rgb(31 28 24 / 0.06), 0 8px 24px -12px rgb(31 28 24 / 0.16)',
        }),
      },
      keyframes: {
        breathe: { '0%, 100%': { opacity: 1 }, '50%': { opacity: 0.5 } },
        turn: { to: { transform: 'rotate(1turn)' } },
      },
    },
    globalCss: {
      html: { fontFamily: 'body', lineHeight: 1.5, color: 'ink', bg: 'paper', textSizeAdjust: '100%' },
      body: { bg: 'paper', color: 'ink', minHeight: '100dvh', overflowWrap: 'break-word' },
      'h1, h2, h3': { fontFamily: 'display', fontWeight: 600, lineHeight: 1.2, textWrap: 'balance', overflowWrap: 'anywhere' },
      ':focus-visible': { outline: '3px solid', outlineColor: 'accentInk', outlineOffset: '2px', borderRadius: 'sm' },
      '::selection': { bg: 'accent', color: 'accentText' },
      '*, *::before, *::after': {
        _motionReduce: {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          transitionDuration: '0.01ms !important',
          scrollBehavior: 'auto !important',
        },
      },
    },
  }),
);

const hasRules = (layer: object): boolean => Object.values(layer).some((rules: object) => Object.keys(rules).length > 0);

/**
 * Chakra's system without its empty reset layer: index.html has the reset rules. Stylis writes an
 * empty layer as `@layer reset` without a semicolon, which would swallow the next layer in the same
 * text.
 */
export const system: ReturnType<typeof createSystem> = { ...fullSystem, _global: fullSystem._global.filter(hasRules) };

import { defineConfig } from '@chakra-ui/react/styled-system';

type Scale = 'colors' | 'spacing' | 'sizes' | 'radii' | 'fonts' | 'fontSizes' | 'shadows';

/** The properties of each token scale, each with its shorthands. */
const scales = {
  colors: {
    color: [],
    background: ['bg'],
    backgroundColor: ['bgColor'],
    borderColor: [],
    borderTopColor: [],
    borderRightColor: [],
    borderBottomColor: [],
    borderLeftColor: [],
    outlineColor: [],
    accentColor: [],
    fill: [],
    stroke: [],
  },
  spacing: {
    gap: [],
    rowGap: ['gapY'],
    columnGap: ['gapX'],
    margin: ['m'],
    marginTop: ['mt'],
    marginRight: ['mr'],
    marginBottom: ['mb'],
    marginLeft: ['ml'],
    marginInline: ['mx'],
    marginBlock: ['my'],
    marginInlineStart: ['ms'],
    marginInlineEnd: ['me'],
    padding: ['p'],
    paddingTop: ['pt'],
    paddingRight: ['pr'],
    paddingBottom: ['pb'],
    paddingLeft: ['pl'],
    paddingInline: ['px'],
    paddingBlock: ['py'],
    paddingInlineStart: ['ps'],
    paddingInlineEnd: ['pe'],
    inset: [],
    insetInline: [],
    insetBlock: [],
    insetInlineStart: [],
    insetInlineEnd: [],
    top: [],
    right: [],
    bottom: [],
    left: [],
    outlineOffset: [],
    scrollPaddingInline: [],
    scrollMarginTop: [],
  },
  sizes: {
    width: ['w'],
    height: ['h'],
    minWidth: ['minW'],
    minHeight: ['minH'],
    maxWidth: ['maxW'],
    maxHeight: ['maxH'],
    flexBasis: [],
  },
  radii: { borderRadius: [] },
  fonts: { fontFamily: [] },
  fontSizes: { fontSize: [] },
  shadows: { boxShadow: [] },
} as const satisfies Record<Scale, Record<string, readonly string[]>>;

const conditions = {
  hover: ['@media (hover: hover)', '&:is(:hover, [data-hover]):not(:disabled, [data-disabled], [aria-disabled=true])'],
  focusVisible: '&:is(:focus-visible, [data-focus-visible])',
  disabled: '&:is(:disabled, [disabled], [data-disabled], [aria-disabled=true])',
  expanded: '&:is([aria-expanded=true], [data-expanded], [data-state=expanded])',
  placeholder: '&::placeholder, &[data-placeholder]',
  last: '&:last-of-type',
  after: '&::after',
  motionReduce: '@media (prefers-reduced-motion: reduce)',
};

const utilities = Object.fromEntries(
  Object.entries(scales).flatMap(([values, properties]) =>
    Object.entries<readonly string[]>(properties).map(([property, shorthand]) => [
      property,
      { values, shorthand: [...shorthand] },
    ]),
  ),
);

type Scales = typeof scales;
type Shorthand = { [Name in Scale]: Extract<Scales[Name][keyof Scales[Name]], readonly string[]>[number] }[Scale];

/** Properties that `base.ts` supports in addition to CSS's own; `chakra.ts` accepts no others. */
export type BaseUtility = { [Name in Scale]: keyof Scales[Name] }[Scale] | Shorthand | 'lineClamp' | 'truncate';
export type BaseCondition = keyof typeof conditions;

/**
 * The part of Chakra's base config that the shop uses; the whole config would add 5 KB to every
 * first visit.
 */
export const base = defineConfig({
  conditions,
  utilities: {
    ...utilities,
    truncate: { transform: () => ({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }) },
    lineClamp: {
      transform: (lines: unknown) => ({
        overflow: 'hidden',
        display: '-webkit-box',
        WebkitLineClamp: String(lines),
        WebkitBoxOrient: 'vertical',
      }),
    },
  },
});

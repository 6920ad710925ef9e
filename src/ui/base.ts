import { defineConfig } from '@chakra-ui/react/styled-system';

type Scale = 'colors' | 'spacing' | 'sizes' | 'radii' | 'fonts' | 'fontSizes' | 'shadows';

/** Which scale each property takes its tokens from, and its short names. */
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
type Short = { [Of in Scale]: Extract<Scales[Of][keyof Scales[Of]], readonly string[]>[number] }[Scale];

/** What stands below in addition to CSS's own properties; `chakra.ts` takes nothing else. */
export type BaseUtility = { [Of in Scale]: keyof Scales[Of] }[Scale] | Short | 'lineClamp' | 'truncate';
export type BaseCondition = keyof typeof conditions;

/** The part of Chakra's base that the shop uses; the whole of it weighs 5 KB more on every first visit. */
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

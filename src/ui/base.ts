import { defineConditions, defineConfig } from '@chakra-ui/react/styled-system';

type Scale = 'colors' | 'spacing' | 'sizes' | 'radii' | 'fonts' | 'fontSizes' | 'shadows';

/** Which scale each property takes its tokens from, and the short names it goes by. */
const scales: Record<Scale, Record<string, string[]>> = {
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
};

const utilities = Object.fromEntries(
  Object.entries(scales).flatMap(([values, properties]) =>
    Object.entries(properties).map(([property, shorthand]) => [property, { values, shorthand }]),
  ),
);

/**
 * The part of Chakra's base that the shop uses; the whole of it weighs 5 KB more on every first visit. A condition or a
 * property that is missing here has no effect, so it is added here first.
 */
export const base = defineConfig({
  conditions: defineConditions({
    hover: ['@media (hover: hover)', '&:is(:hover, [data-hover]):not(:disabled, [data-disabled])'],
    focusVisible: '&:is(:focus-visible, [data-focus-visible])',
    disabled: '&:is(:disabled, [disabled], [data-disabled], [aria-disabled=true])',
    expanded: '&:is([aria-expanded=true], [data-expanded], [data-state=expanded])',
    placeholder: '&::placeholder, &[data-placeholder]',
    motionReduce: '@media (prefers-reduced-motion: reduce)',
  }),
  utilities: {
    ...utilities,
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

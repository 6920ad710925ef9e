import { defaultAppearance, getDefaultTopBar, type Appearance, type BarTheme } from '../../machines/model/store/appearance.ts';
import type { StoreProperties, StoreTheme } from '../../machines/model/store/store.ts';
import type { ListType } from '../../machines/model/catalogue/title.ts';
import { toCssColor, darken, makeReadable, mix, parseColor, chooseTextColor, type Rgb } from './color.ts';
import { barColors, palettes } from './palettes.ts';

/** The store's colour, those of the bars and the colours derived from both, as CSS colours. */
export type BrandColors = {
  accent: string;
  /** Text on `accent`. */
  accentText: string;
  /** The background of a hovered button on `accent`. */
  accentDeep: string;
  accentDeepText: string;
  /** The accent as text on paper, dark enough to be read. */
  accentInk: string;
  /** A light tint of the accent on paper. */
  accentSoft: string;
  /** 30% darker than the accent, unless the store's theme sets it. */
  footer: string;
  footerText: string;
  topBar: string;
  topBarText: string;
  sidebar: string;
  sidebarText: string;
};

/** The look and texts of a store, as data. */
export type Brand = {
  name: string;
  /** Empty when the store has no logo: then its name is shown instead. */
  logo: string;
  colors: BrandColors;
  /** The store's names for each kind of title; `interactive` has no list, so no text of its own. */
  listTexts: Record<ListType, string>;
  /** Lists that the store offers, `all` first. */
  lists: ListType[];
  showsPrices: boolean;
  sellsTitles: boolean;
  /** Whether titles can be read and played in the browser. */
  readsHere: boolean;
  showsBrandLine: boolean;
  hidesFilters: boolean;
  /** Untrusted HTML from the store. */
  about: string;
  /** Untrusted HTML from the store; `url` is linked to where it is empty. */
  terms: { html: string; url: string };
  privacy: { html: string; url: string };
  /** The store's name for everything that a customer owns. */
  catalogText: string;
  supportEmail: string;
  /** All store properties, for screens that need more of them. */
  store: StoreProperties;
};

const defaultAccent: Rgb = [31, 78, 95];

/**
 * The palette of a store colour in a look; an unreadable colour gives the built-in palette. Colours
 * that the store's theme sets explicitly override those derived from the store colour.
 */
export const createBrandColors = (storeColor: string, look = defaultAppearance, theme: StoreTheme = {}): BrandColors => {
  const { paper, surface, sunken } = palettes[look.background];
  const accent = parseColor(storeColor) ?? defaultAccent;
  const darkAccent = darken(accent, 0.18);
  const footer = parseColor(theme.footer ?? '') ?? darken(accent, 0.3);
  const softAccent = mix(paper, accent, 0.08);
  const ink = makeReadable(accent, [paper, surface, sunken, softAccent], chooseTextColor(paper));
  const getBarColor = (name: BarTheme, themeColor = ''): Rgb => {
    if (name === 'store') return parseColor(themeColor) ?? accent;
    return name === 'paper' ? surface : barColors[name];
  };
  const topBar = getBarColor(look.topBar ?? getDefaultTopBar(theme), theme.topBar);
  const sidebar = getBarColor(look.sidebar, theme.sidebar);
  return {
    accent: toCssColor(accent),
    accentText: toCssColor(chooseTextColor(accent)),
    accentDeep: toCssColor(darkAccent),
    accentDeepText: toCssColor(chooseTextColor(darkAccent)),
    accentInk: toCssColor(ink),
    accentSoft: toCssColor(softAccent),
    footer: toCssColor(footer),
    footerText: toCssColor(chooseTextColor(footer)),
    topBar: toCssColor(topBar),
    topBarText: toCssColor(chooseTextColor(topBar)),
    sidebar: toCssColor(sidebar),
    sidebarText: toCssColor(chooseTextColor(sidebar)),
  };
};

/**
 * The colours of a layout theme by token name; empty for the usual theme, which is the tokens'
 * default.
 */
export const getLayoutColors = (background: Appearance['background']): Record<string, string> =>
  background === 'paper'
    ? {}
    : Object.fromEntries(Object.entries(palettes[background]).map(([name, rgb]) => [name, toCssColor(rgb)]));

/** @param translate translates a name that the store left at its default. */
export const createBrand = (
  store: StoreProperties,
  look?: Appearance,
  theme?: StoreTheme,
  translate = (text: string): string => text,
): Brand => ({
  name: store.shelfName,
  logo: store.shelfLogo,
  colors: createBrandColors(store.shelfColor, look, theme),
  listTexts: {
    all: translate(store.titlesDisplayText),
    ebook: translate(store.ebooksDisplayText),
    audio: translate(store.audioTitlesDisplayText),
    video: translate(store.videoTitlesDisplayText),
    interactive: translate(store.titlesDisplayText),
  },
  lists: [
    'all',
    ...(store.enableEbook ? (['ebook'] as const) : []),
    ...(store.enableAudioTitle ? (['audio'] as const) : []),
    ...(store.enableVideoTitle ? (['video'] as const) : []),
  ],
  showsPrices: store.showTitlePrice,
  sellsTitles: store.showBuyTitle,
  readsHere: store.enableWebReader,
  showsBrandLine: store.showPapertrellBrand,
  hidesFilters: store.hideFilters,
  about: store.about,
  terms: { html: store.termsOfService, url: store.termsOfServiceUrl },
  privacy: { html: store.privacyPolicy, url: store.privacyPolicyUrl },
  catalogText: translate(store.myCatalogDisplayText),
  supportEmail: store.supportEmail,
  store,
});

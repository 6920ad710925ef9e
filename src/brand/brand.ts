import { usualAppearance, usualTopBar, type Appearance, type BarTheme } from '../../machines/model/store/appearance.ts';
import type { StoreProperties, StoreTheme } from '../../machines/model/store/store.ts';
import type { ListType } from '../../machines/model/catalogue/title.ts';
import { cssColor, darker, inkOf, mix, parseColor, textOn, type Rgb } from './color.ts';
import { bars, palettes } from './palettes.ts';

/** The store's colour, the bars' and what follows from them, as CSS colours. */
export type BrandColors = {
  accent: string;
  /** Text on `accent`. */
  accentText: string;
  /** `accent` pressed or hovered. */
  accentDeep: string;
  accentDeepText: string;
  /** The accent as text on paper, dark enough to be read. */
  accentInk: string;
  /** A light tint of the accent on paper. */
  accentSoft: string;
  /** 30% darker than the accent. */
  footer: string;
  footerText: string;
  topBar: string;
  topBarText: string;
  sidebar: string;
  sidebarText: string;
};

/** The looks and texts of a store, as data. */
export type Brand = {
  name: string;
  /** Empty when the store has none: then its name is shown instead. */
  logo: string;
  colors: BrandColors;
  /** What the store calls each kind of title; `interactive` ones have no list, so no text of their own. */
  listTexts: Record<ListType, string>;
  /** Lists that the store offers, `all` first. */
  lists: ListType[];
  showsPrices: boolean;
  sellsTitles: boolean;
  /** Titles can be read and played in the browser. */
  readsHere: boolean;
  showsBrandLine: boolean;
  hidesFilters: boolean;
  /** HTML from the store, untrusted; an address is used instead when there is no text. */
  about: string;
  terms: { html: string; url: string };
  privacy: { html: string; url: string };
  /** What the store calls all that a customer owns. */
  catalogText: string;
  supportEmail: string;
  /** All that the store says, for screens that need more of it. */
  store: StoreProperties;
};

const fallback: Rgb = [31, 78, 95];

/**
 * The palette of a store colour under a look; one that cannot be read as a colour gives the built-in palette. What the
 * store's theme names comes before what follows from the colour.
 */
export const brandColors = (storeColor: string, look = usualAppearance, theme: StoreTheme = {}): BrandColors => {
  const { paper, surface, sunken } = palettes[look.background];
  const accent = parseColor(storeColor) ?? fallback;
  const deep = darker(accent, 0.18);
  const footer = parseColor(theme.footer ?? '') ?? darker(accent, 0.3);
  const soft = mix(paper, accent, 0.08);
  const ink = inkOf(accent, [paper, surface, sunken, soft], textOn(paper));
  const bar = (name: BarTheme, own = ''): Rgb => {
    if (name === 'store') return parseColor(own) ?? accent;
    return name === 'paper' ? surface : bars[name];
  };
  const topBar = bar(look.topBar ?? usualTopBar(theme), theme.topBar);
  const sidebar = bar(look.sidebar, theme.sidebar);
  return {
    accent: cssColor(accent),
    accentText: cssColor(textOn(accent)),
    accentDeep: cssColor(deep),
    accentDeepText: cssColor(textOn(deep)),
    accentInk: cssColor(ink),
    accentSoft: cssColor(soft),
    footer: cssColor(footer),
    footerText: cssColor(textOn(footer)),
    topBar: cssColor(topBar),
    topBarText: cssColor(textOn(topBar)),
    sidebar: cssColor(sidebar),
    sidebarText: cssColor(textOn(sidebar)),
  };
};

/** The colours of a layout theme by the theme's token names; none for the usual one, which the tokens are made of. */
export const groundColors = (background: Appearance['background']): Record<string, string> =>
  background === 'paper'
    ? {}
    : Object.fromEntries(Object.entries(palettes[background]).map(([name, rgb]) => [name, cssColor(rgb)]));

/** @param translate gives a name that the store left at its default in the customer's language. */
export const brandOf = (
  store: StoreProperties,
  look?: Appearance,
  theme?: StoreTheme,
  translate = (text: string): string => text,
): Brand => ({
  name: store.shelfName,
  logo: store.shelfLogo,
  colors: brandColors(store.shelfColor, look, theme),
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

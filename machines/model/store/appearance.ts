/** Colour themes of the top bar and the sidebar; `store` is the store's own colour. */
export const barThemes = ['store', 'paper', 'ink', 'navy', 'forest', 'plum', 'sand'] as const;
export type BarTheme = (typeof barThemes)[number];

/** Themes of the layout: the background of the page. */
export const backgrounds = ['paper', 'white', 'night'] as const;
export type Background = (typeof backgrounds)[number];

/**
 * The look that a customer has chosen. `topBar` is null if never chosen: the top bar then has the
 * colour of the store's theme, or `paper` if the theme has none.
 */
export type Appearance = { topBar: BarTheme | null; sidebar: BarTheme; background: Background };

/** Formats a look for the cookie. */
export const formatAppearance = ({ topBar, sidebar, background }: Record<keyof Appearance, string | null>): string =>
  [topBar, sidebar, background].join('.');

const pickTheme = <Theme extends string, Fallback extends Theme | null>(
  themes: readonly Theme[],
  name: string | undefined,
  fallback: Fallback,
): Theme | Fallback => themes.find((theme) => theme === name) ?? fallback;

/** The default theme of the top bar, until the customer chooses one. */
export const getDefaultTopBar = (theme: { topBar?: string }): BarTheme => (theme.topBar === undefined ? 'paper' : 'store');

/** Parses the look stored in a cookie; an unknown theme falls back to the default. */
export const parseAppearance = (cookie: string): Appearance => {
  const [topBar, sidebar, background] = cookie.split('.');
  return {
    topBar: pickTheme(barThemes, topBar, null),
    sidebar: pickTheme(barThemes, sidebar, 'store'),
    background: pickTheme(backgrounds, background, 'paper'),
  };
};

export const defaultAppearance: Appearance = parseAppearance('');

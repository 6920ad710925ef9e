/** Colour themes of the top bar and the sidebar; `store` is the store's own colour. */
export const barThemes = ['store', 'paper', 'ink', 'navy', 'forest', 'plum', 'sand'] as const;
export type BarTheme = (typeof barThemes)[number];

/** Themes of the layout: the background of the page. */
export const backgrounds = ['paper', 'white', 'night'] as const;
export type Background = (typeof backgrounds)[number];

/**
 * The look that a customer has chosen. `topBar` is null if never chosen: then it has the colour of
 * the store's theme, or is `paper` without one.
 */
export type Appearance = { topBar: BarTheme | null; sidebar: BarTheme; background: Background };

/** A look as the cookie stores it. */
export const formatAppearance = ({ topBar, sidebar, background }: Record<keyof Appearance, string | null>): string =>
  [topBar, sidebar, background].join('.');

const pickTheme = <Theme extends string, Usual extends Theme | null>(
  themes: readonly Theme[],
  wanted: string | undefined,
  usual: Usual,
): Theme | Usual => themes.find((theme) => theme === wanted) ?? usual;

/** The default theme of the top bar, until the customer chooses one. */
export const getDefaultTopBar = (theme: { topBar?: string }): BarTheme => (theme.topBar === undefined ? 'paper' : 'store');

/** The look stored in a cookie; an unknown theme falls back to the default. */
export const parseAppearance = (cookie: string): Appearance => {
  const [topBar, sidebar, background] = cookie.split('.');
  return {
    topBar: pickTheme(barThemes, topBar, null),
    sidebar: pickTheme(barThemes, sidebar, 'store'),
    background: pickTheme(backgrounds, background, 'paper'),
  };
};

export const defaultAppearance: Appearance = parseAppearance('');

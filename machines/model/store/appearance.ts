/** Colour themes of the top bar and the sidebar; `store` is the store's own colour. */
export const barThemes = ['store', 'paper', 'ink', 'navy', 'forest', 'plum', 'sand'] as const;
export type BarTheme = (typeof barThemes)[number];

/** Themes of the layout: the background of the page. */
export const backgrounds = ['paper', 'white', 'night'] as const;
export type Background = (typeof backgrounds)[number];

/**
 * The look that a customer has chosen. A top bar that was never chosen is null: then it has the
 * colour that the store's theme names for it, and is of paper without one.
 */
export type Appearance = { topBar: BarTheme | null; sidebar: BarTheme; background: Background };

/** A look as a cookie has it. */
export const lookText = ({ topBar, sidebar, background }: Record<keyof Appearance, string | null>): string =>
  [topBar, sidebar, background].join('.');

const oneOf = <Theme extends string, Usual extends Theme | null>(
  themes: readonly Theme[],
  wanted: string | undefined,
  usual: Usual,
): Theme | Usual => themes.find((theme) => theme === wanted) ?? usual;

/** The theme of a top bar that no customer has chosen. */
export const usualTopBar = (theme: { topBar?: string }): BarTheme => (theme.topBar === undefined ? 'paper' : 'store');

/** The look that a cookie names; a theme that there is not, or no longer, is the usual one. */
export const appearanceOf = (cookie: string): Appearance => {
  const [topBar, sidebar, background] = cookie.split('.');
  return {
    topBar: oneOf(barThemes, topBar, null),
    sidebar: oneOf(barThemes, sidebar, 'store'),
    background: oneOf(backgrounds, background, 'paper'),
  };
};

export const usualAppearance: Appearance = appearanceOf('');

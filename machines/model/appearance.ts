/** Colour themes of the top bar and the sidebar; `store` is the store's own colour. */
export const barThemes = ['store', 'paper', 'ink', 'navy', 'forest', 'plum', 'sand'] as const;
export type BarTheme = (typeof barThemes)[number];

/** Themes of the layout: the background of the page. */
export const backgrounds = ['paper', 'white', 'night'] as const;
export type Background = (typeof backgrounds)[number];

/** The look that a customer has chosen. */
export type Appearance = { topBar: BarTheme; sidebar: BarTheme; background: Background };

/** A look as a cookie has it. */
export const lookText = ({ topBar, sidebar, background }: Record<keyof Appearance, string>): string =>
  [topBar, sidebar, background].join('.');

const oneOf = <Theme extends string>(themes: readonly Theme[], wanted: string | undefined, usual: Theme): Theme =>
  themes.find((theme) => theme === wanted) ?? usual;

/** The look that a cookie names; a theme that there is not, or no longer, is the usual one. */
export const appearanceOf = (cookie: string): Appearance => {
  const [topBar, sidebar, background] = cookie.split('.');
  return {
    topBar: oneOf(barThemes, topBar, 'paper'),
    sidebar: oneOf(barThemes, sidebar, 'store'),
    background: oneOf(backgrounds, background, 'paper'),
  };
};

export const usualAppearance: Appearance = appearanceOf('');

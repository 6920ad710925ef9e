import * as v from 'valibot';

/** Colour themes of the top bar and the sidebar; `store` is the store's own colour. */
export const barThemes = ['store', 'paper', 'ink', 'navy', 'forest', 'plum', 'sand'] as const;
export type BarTheme = (typeof barThemes)[number];

/** Themes of the layout: the background of the page. */
export const backgrounds = ['paper', 'white', 'night'] as const;
export type Background = (typeof backgrounds)[number];

/** The look that the customer has chosen; a theme that no longer exists is the usual one. */
export const Appearance = v.object({
  topBar: v.fallback(v.picklist(barThemes), 'paper'),
  sidebar: v.fallback(v.picklist(barThemes), 'store'),
  background: v.fallback(v.picklist(backgrounds), 'paper'),
});
export type Appearance = v.InferOutput<typeof Appearance>;

export const usualAppearance: Appearance = v.parse(Appearance, {});

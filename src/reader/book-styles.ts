import type { ReadingLook, ReadingTheme } from '../../machines/model/reading/reading.ts';
import { ENLARGED } from './wide-content.ts';

type Colors = { paper: string; ink: string; link: string };

// Ink on paper and links on paper are 4.5:1 at least; paper and ink are those of the controls around the page.
export const bookColors: Record<ReadingTheme, Colors> = {
  light: { paper: '#ffffff', ink: '#1d1b19', link: '#0b57b7' },
  sepia: { paper: '#f6ecd8', ink: '#42321f', link: '#7a3e00' },
  dark: { paper: '#15161a', ink: '#d9d6d0', link: '#8ab4f8' },
};

export const colorSchemeOf = (theme: ReadingTheme): 'light' | 'dark' => (theme === 'dark' ? 'dark' : 'light');

/** Style sheets before and after the book's own: it keeps its colours in the light theme, in the others ours win. */
export const bookStyles = ({ fontScale, theme }: ReadingLook): [before: string, after: string] => {
  const { paper, ink, link } = bookColors[theme];
  const before = `html { background: ${paper}; color: ${ink} } a:any-link { color: ${link} }`;
  const size = `html { font-size: ${fontScale * 100}% !important; color-scheme: ${colorSchemeOf(theme)} }`;
  if (theme === 'light') return [before, size];
  // Pictures, drawings and formulas drawn as pictures keep their own colours.
  // The renderer reads the custom property to paint the margins.
  const colors = `
    html { --theme-bg-color: ${paper}; background: ${paper} !important; color: ${ink} !important }
    body, :is(body, ${ENLARGED}) *:not(img, svg, svg *, video, audio, canvas, picture) {
      color: inherit !important; background-color: transparent !important; border-color: currentColor !important;
      text-shadow: none !important;
    }
    body { color: ${ink} !important }
    a:any-link, a:any-link * { color: ${link} !important }`;
  return [before, size + colors];
};

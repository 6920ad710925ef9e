import type { ReadingLook, ReadingTheme } from '../../machines/model/reading/reading.ts';
import { ENLARGED } from './wide-content.ts';

type BookColors = { paper: string; ink: string; link: string };

// Ink and links have a contrast of at least 4.5:1 on paper; paper and ink are those of the controls
// around the page.
export const bookColors: Record<ReadingTheme, BookColors> = {
  light: { paper: '#ffffff', ink: '#1d1b19', link: '#0b57b7' },
  sepia: { paper: '#f6ecd8', ink: '#42321f', link: '#7a3e00' },
  dark: { paper: '#15161a', ink: '#d9d6d0', link: '#8ab4f8' },
};

export const getColorScheme = (theme: ReadingTheme): 'light' | 'dark' => (theme === 'dark' ? 'dark' : 'light');

/**
 * Style sheets before and after the book's own: in the light theme the book keeps its colours, in
 * the others ours override them.
 */
export const createBookStyles = ({ fontScale, theme }: ReadingLook): [before: string, after: string] => {
  const { paper, ink, link } = bookColors[theme];
  const baseStyle = `html { background: ${paper}; color: ${ink} } a:any-link { color: ${link} }`;
  const size = `html { font-size: ${fontScale * 100}% !important; color-scheme: ${getColorScheme(theme)} }`;
  if (theme === 'light') return [baseStyle, size];
  // Pictures, drawings and formulas as pictures keep their own colours. The renderer reads the
  // custom property for the colour of the margins.
  const colors = `
    html { --theme-bg-color: ${paper}; background: ${paper} !important; color: ${ink} !important }
    body, :is(body, ${ENLARGED}) *:not(img, svg, svg *, video, audio, canvas, picture) {
      color: inherit !important; background-color: transparent !important; border-color: currentColor !important;
      text-shadow: none !important;
    }
    body { color: ${ink} !important }
    a:any-link, a:any-link * { color: ${link} !important }`;
  return [baseStyle, size + colors];
};

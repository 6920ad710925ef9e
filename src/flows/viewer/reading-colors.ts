import type { ReadingTheme } from '../../../machines/model/reading/reading.ts';

/** Paper and ink of each reading theme, and a quieter ink with a contrast of at least 4.5:1. */
export const readingColors: Record<ReadingTheme, { paper: string; ink: string; soft: string; panel: string }> = {
  light: { paper: '#ffffff', ink: '#1d1b19', soft: '#6a645d', panel: '#ffffff' },
  sepia: { paper: '#f6ecd8', ink: '#42321f', soft: '#77634a', panel: '#fbf4e4' },
  dark: { paper: '#15161a', ink: '#d9d6d0', soft: '#9b978f', panel: '#212329' },
};

/** The theme as custom properties, for all elements on its paper. */
export const createReadingCss = (theme: ReadingTheme): Record<string, string> => {
  const { paper, ink, soft, panel } = readingColors[theme];
  return {
    '--paper': paper,
    '--ink': ink,
    '--soft': soft,
    '--panel': panel,
    background: 'var(--paper)',
    color: 'var(--ink)',
    colorScheme: theme === 'dark' ? 'dark' : 'light',
  };
};

import type { Background, BarTheme } from '../../machines/model/store/appearance.ts';
import type { Rgb } from './color.ts';

/** The shop's surface and text colours, by the theme's token names. */
type Palette = {
  paper: Rgb;
  surface: Rgb;
  sunken: Rgb;
  ink: Rgb;
  inkMuted: Rgb;
  line: Rgb;
  lineStrong: Rgb;
  danger: Rgb;
  dangerSoft: Rgb;
  success: Rgb;
  successSoft: Rgb;
};

const paper: Palette = {
  paper: [250, 248, 244],
  surface: [255, 255, 255],
  sunken: [241, 237, 230],
  ink: [31, 28, 24],
  inkMuted: [98, 91, 81],
  line: [228, 222, 211],
  lineStrong: [141, 133, 120],
  danger: [159, 43, 28],
  dangerSoft: [251, 235, 231],
  success: [31, 107, 58],
  successSoft: [232, 243, 234],
};

/** The three layout themes. */
export const palettes: Record<Background, Palette> = {
  paper,
  white: { ...paper, paper: [255, 255, 255], sunken: [243, 243, 243], line: [224, 224, 224], lineStrong: [130, 130, 130] },
  night: {
    paper: [22, 20, 18],
    surface: [32, 29, 26],
    sunken: [43, 39, 35],
    ink: [243, 239, 232],
    inkMuted: [190, 181, 170],
    line: [62, 56, 50],
    lineStrong: [141, 133, 120],
    danger: [244, 160, 146],
    dangerSoft: [64, 30, 24],
    success: [142, 208, 165],
    successSoft: [26, 48, 34],
  },
};

/**
 * The colour themes of bars, except `store` (the store's own colour) and `paper` (the layout's
 * surface).
 */
export const barColors: Record<Exclude<BarTheme, 'store' | 'paper'>, Rgb> = {
  ink: [31, 28, 24],
  navy: [27, 42, 73],
  forest: [28, 66, 50],
  plum: [74, 32, 66],
  sand: [236, 226, 207],
};

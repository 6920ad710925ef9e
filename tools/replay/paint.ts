import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_, text) => text;

/** Colours on a terminal, none in a pipe; NO_COLOR and FORCE_COLOR decide otherwise. */
export const paintFor =
  (stream: NodeJS.WritableStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });

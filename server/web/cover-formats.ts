/** Formats of resized covers, the smallest first. */
export const COVER_FORMATS = ['avif', 'webp', 'jpeg'] as const;

export type CoverFormat = (typeof COVER_FORMATS)[number];

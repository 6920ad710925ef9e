import { createContext } from 'react';

/** The attributes by which an element loads a picture. */
export type Picture = { src: string; srcSet: string; sizes: string };

/**
 * Receives the pictures that a screen loads first during server rendering, for preloads in the
 * page's `<head>`: React writes its own preloads only into the markup. Null in a browser.
 */
export const PicturePreloads = createContext<((picture: Picture) => void) | null>(null);

import { createContext } from 'react';

/** The attributes by which an element fetches a picture. */
export type Picture = { src: string; srcSet: string; sizes: string };

/**
 * Receives the pictures that a screen wants first while a server renders it, for the page's head:
 * React writes its own preloads into the markup alone. Null in a browser.
 */
export const PicturePreloads = createContext<((picture: Picture) => void) | null>(null);

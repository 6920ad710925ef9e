/** The messages between the server and the renderer of first screens. */

/** Titles of a list that are rendered before its grid is measured: about one window of them. */
export const FIRST_WINDOW_TITLES = 12;

/** A visitor's address, with the language and the look of the visitor's browser. */
export type RenderTask = {
  /** The page's configuration. */
  config: unknown;
  origin: string;
  pathname: string;
  search: string;
  /** One of the shop's languages. */
  language: string;
  /** The look from the cookie; empty for the default. */
  look: string;
  /** The address in the page's head; empty if it has no such address. */
  supportEmail: string;
};

/** An API call of the shop: its path with the query, and the language of its texts. */
export type RenderCall = { path: string; language: string };

/** The server's answer to a call; `type` is its media type. */
export type RenderAnswer = { status: number; type: string; text: string };

/** An answer that is embedded in the page; `call` is its path with the query. */
export type UsedResponse = { call: string; status: number; type: string; text: string };

/** A picture to preload before the markup is parsed: the attributes of its element. */
export type PicturePreload = { src: string; srcSet: string; sizes: string };

/**
 * A style element: `names` is its `data-emotion`, by which Emotion's cache recognises the rules.
 */
export type RenderedStyle = { names: string; css: string };

/** A server-rendered first screen, and its data for the server. */
export type RenderedPage = {
  /** The page's root element, with the screen in it. */
  html: string;
  /** The largest pictures. */
  preloads: PicturePreload[];
  styles: RenderedStyle[];
  /** The answers that the screen was rendered from. */
  answers: UsedResponse[];
  /** ISO 8601 times at which the screen changes, so that the cached page expires. */
  changesAt: string[];
  /** The path of the first title's page; null if the screen shows no titles. */
  firstTitle: string | null;
  /** The cursor after the rendered titles of a list; null if no more follow. */
  next: string | null;
};

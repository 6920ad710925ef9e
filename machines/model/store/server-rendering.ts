/** The messages between the server and the renderer of first screens. */

/** Titles of a list that are rendered before its grid is measured: about one window of them. */
export const FIRST_WINDOW_TITLES = 12;

/** The first screen to render: the URL, and the visitor's language and look. */
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
  /** The support e-mail address in the page's `<head>`; empty without one. */
  supportEmail: string;
};

/** An API call of the shop: its path with the query, and the language of its texts. */
export type RenderCall = { path: string; language: string };

/** The server's response to a call; `type` is its media type. */
export type RenderResponse = { status: number; type: string; text: string };

/** A response that is embedded in the page; `call` is the path of its call with the query. */
export type UsedResponse = { call: string; status: number; type: string; text: string };

/** A picture to preload before the markup is parsed: the attributes of its element. */
export type PicturePreload = { src: string; srcSet: string; sizes: string };

/**
 * A style element; `names` is its attribute `data-emotion`, by which Emotion's cache recognises the
 * rules.
 */
export type RenderedStyle = { names: string; css: string };

/** A server-rendered first screen, with data for the page around it and for the server's cache. */
export type RenderedPage = {
  /** The page's root element, with the screen in it. */
  html: string;
  /** The largest pictures of the screen. */
  preloads: PicturePreload[];
  styles: RenderedStyle[];
  /** The responses that the screen was rendered from. */
  answers: UsedResponse[];
  /** ISO 8601 times at which the screen changes, so that the cached page expires. */
  changesAt: string[];
  /** The path of the first title's page; null if the screen shows no titles. */
  firstTitle: string | null;
  /** The cursor after the rendered titles of a list; null if no more titles follow. */
  next: string | null;
};

/** The messages between the server and the program that renders first screens for it. */

/** Titles of a list that are drawn before its grid is measured: about a window of them. */
export const drawnFirst = 12;

/** A visitor's address, and what the visitor's browser says of language and look. */
export type PaintTask = {
  /** The page's configuration. */
  config: unknown;
  origin: string;
  pathname: string;
  search: string;
  /** One of the shop's languages. */
  language: string;
  /** The look as the cookie has it; empty for the usual one. */
  look: string;
  /** As the page's head has it; empty where it has none. */
  supportEmail: string;
};

/** A call of the shop's API: its path with the query, and the language of the words. */
export type PaintCall = { path: string; language: string };

/** The server's answer to a call; `type` is its media type. */
export type PaintAnswer = { status: number; type: string; text: string };

/** An answer that goes with the page; `call` is its path with the query. */
export type UsedAnswer = { call: string; status: number; type: string; text: string };

/** A picture that is to be fetched before the markup is read: the attributes of its element. */
export type PicturePreload = { src: string; srcSet: string; sizes: string };

/** A style element: `names` is its `data-emotion`, by which the browser's cache knows the rules. */
export type PaintedStyle = { names: string; css: string };

/** A first screen, and what the server has to know of it. */
export type Painted = {
  /** The page's root element, with the screen in it. */
  html: string;
  /** The largest pictures. */
  preloads: PicturePreload[];
  styles: PaintedStyle[];
  /** The answers that led to it. */
  answers: UsedAnswer[];
  /** ISO 8601: from each of them on, this is another screen. */
  changesAt: string[];
  /** The path of the first title's page; null where the screen shows no titles. */
  firstTitle: string | null;
  /** The cursor behind the titles of a list that are drawn; null where no more follow. */
  next: string | null;
};

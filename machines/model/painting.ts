/** What is handed between the server and the program that paints first screens for it. */

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

/** A call of the shop's API: its path with the query, and the language that its words are asked for in. */
export type PaintCall = { path: string; language: string };

/** What the server says to a call; `type` is its media type. */
export type PaintAnswer = { status: number; type: string; text: string };

/** An answer that goes with the page; `call` is its path with the query. */
export type UsedAnswer = { call: string; status: number; type: string; text: string };

/**
 * A first screen: its markup, hints to fetch its largest pictures, the style elements that it needs, the key of the state that it
 * shows, and the answers that led there.
 */
export type Painted = { html: string; pictures: string; styles: string; key: string; answers: UsedAnswer[] };

/** The parts of the frame, which is around every screen; a route may hide some. */
export type FramePart =
  | 'sidebar'
  | 'subscribe'
  | 'search'
  | 'library'
  | 'home'
  | 'signIn'
  | 'explore'
  | 'footer'
  | 'topFilter'
  | 'topBar';

/** One kind of address. */
export type RouteDefinition = {
  /**
   * `{name}` is one path segment or the rest of one, `{name?}` may be missing, `{name:a|b}` is one of these, `{secret}` is
   * never told to a machine.
   */
  pattern: string;
  /** Who may see it; everybody where it is left out. */
  access?: 'login';
  /** Query parameters that say which screen it is. */
  keys?: readonly string[];
  /** What the address stands for in its query, where that does not say otherwise. */
  query?: Readonly<Record<string, string>>;
  hides?: FramePart[];
  /** The screen fills the window and brings a bar of its own. */
  fills?: true;
  /**
   * The page's name in the window's title, in English, unless its flow's `pageName` or the server's
   * head knows better; the catalogues of the flow translate it.
   */
  name?: string;
  /** Search engines may index it; a route without this is not indexed. */
  indexed?: true;
  /** Addresses of it in the sitemap; `where` names the store property that has to be on or written. */
  listed?: readonly { path: string; where?: string }[];
  /** Public, but only a step of a process: robots.txt excludes it, as it does `login` pages and addresses with secrets. */
  crawled?: false;
  /** Rows of the specification that this address fulfils. */
  spec?: readonly string[];
  /** Addresses that it matches, for the tests of addresses. */
  examples: readonly string[];
};

/** A flow of the shop: which addresses lead to it and which machine runs it. Plain data, read by machines, pages and server. */
export type FlowDefinition<Name extends string = string> = {
  /** The machine's id; in kebab-case the name of its folder below `src/flows/`. */
  name: Name;
  /** The machine's module below `machines/`, without `.ts`. */
  machine: string;
  /** Its first screen has parts that come with the frame, which is then fetched at once instead of in a quiet moment. */
  needsFrame?: true;
  /** Its first screen may come painted by the server, for visitors. */
  painted?: true;
  /**
   * The query parameters that it reads. Where they are named, its routes know no others, but for the language and for secrets: what a
   * campaign of somebody else's put into an address leads to the same state, and to the same painted page.
   */
  reads?: readonly string[];
  routes: readonly RouteDefinition[];
};

/** Keeps the name's own type, so that the registry knows every flow by name. */
export const defineFlow = <const Name extends string>(definition: FlowDefinition<Name>): FlowDefinition<Name> => definition;

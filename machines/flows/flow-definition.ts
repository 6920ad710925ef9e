/** The parts of the frame around every screen; a route may hide some. */
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

/** A route of a flow: a path pattern, with its access and its data for search engines. */
export type RouteDefinition = {
  /**
   * `{name}` is a path segment or the rest of a segment, `{name?}` is optional, `{name:a|b}` is one
   * of these values. Machines never receive the value of `{secret}`.
   */
  pattern: string;
  /** `login`: for customers only. Omitted: for visitors and customers. */
  access?: 'login';
  /** Query parameters that identify the screen. */
  keys?: readonly string[];
  /** Query values that the path implies, unless the query overrides them. */
  query?: Readonly<Record<string, string>>;
  hides?: FramePart[];
  /** The screen fills the window and has its own top bar. */
  fills?: true;
  /**
   * The page's name in the window's title, in English, unless its flow's `pageName` or the server's
   * head overrides it; the catalogues of the flow translate it.
   */
  name?: string;
  /** Search engines may index the page; without this they must not. */
  indexed?: true;
  /**
   * The route's paths in the sitemap; `where` is the store property that must be true or not empty
   * for a path to be listed.
   */
  listed?: readonly { path: string; where?: string }[];
  /**
   * False for a step of a process, or a page with data of one visitor or for customers: robots.txt
   * excludes it, as it does `login` pages and paths with secrets.
   */
  crawled?: false;
  /** The rows of the specification that the route fulfils. */
  spec?: readonly string[];
  /** URLs that match the pattern, for the route tests. */
  examples: readonly string[];
};

/**
 * A flow of the shop: its routes and its machine. Plain data for machines, pages and server.
 */
export type FlowDefinition<Name extends string = string> = {
  /** The machine's id; in kebab-case the name of its folder below `src/flows/`. */
  name: Name;
  /** The machine's module below `machines/`, without `.ts`. */
  machine: string;
  /**
   * The first screen needs parts of the frame, so the frame's chunk loads at once instead of once
   * the page is idle.
   */
  needsFrame?: true;
  /** The server may prerender the first screen for visitors. */
  serverRendered?: true;
  /**
   * The query parameters that the flow reads. If set, its routes drop all others except the
   * language and secrets, so that tracking parameters lead to the same state and the same
   * prerendered page.
   */
  reads?: readonly string[];
  routes: readonly RouteDefinition[];
};

/** Keeps the literal type of `name`, so that the registry knows every flow by name. */
export const defineFlow = <const Name extends string>(definition: FlowDefinition<Name>): FlowDefinition<Name> => definition;

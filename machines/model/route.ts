/** Parts of the frame around a screen that a route may hide. */
export type ChromePart =
  | 'sidebar' | 'subscribe' | 'search' | 'library' | 'home' | 'signin' | 'explore' | 'footer' | 'topFilter' | 'topBar';

/** The flow that serves a route. */
export type FlowName =
  | 'landing' | 'catalogue' | 'title' | 'signIn' | 'signUp' | 'checkout' | 'receipt' | 'library' | 'viewer' | 'information' | 'notFound';

/**
 * The page as the location port read it out of the URL: secrets already taken out, parameters as plain text.
 * `path` includes the query, same origin, and can be gone back to.
 */
export type Route = {
  flow: FlowName;
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  access: 'public' | 'login';
  hides: ChromePart[];
};

export type Layout = 'desktop' | 'tablet' | 'mobile';

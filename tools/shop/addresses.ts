import type { FramePart, FlowDefinition } from '../../machines/flows/flow-definition.ts';
import type { Route } from '../../machines/flows/route.ts';
import { flows } from '../../machines/flows/registry.ts';

/** An address of the shop, in a store that has the titles and other entities it names. */
export type Address = {
  path: string;
  flow: Route['flow'];
  /** Expected parameters: left out for none, null if the specification does not say. */
  params?: Record<string, string> | null;
  /** Visitors are redirected to sign in. */
  login?: true;
  /** Parts of the frame that its screen hides. */
  hides?: readonly FramePart[];
  /** The status of the server's response. */
  status?: 200 | 404;
};

const hiddenWhilePaying: FramePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];
const hiddenWhileReading: FramePart[] = [...hiddenWhilePaying, 'signIn', 'footer'];
const hiddenInLibrary: FramePart[] = ['sidebar', 'topFilter'];
const hiddenInDocuments: FramePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

const createListAddress = (path: string, params: Record<string, string>): Address => ({ path, flow: 'catalogue', params });

/**
 * The addresses of section 2 of the specification, written by hand as expected values for the
 * registry.
 */
const specifiedAddresses: readonly Address[] = [
  { path: '/', flow: 'landing', hides: ['home'] },
  { path: '/signin', flow: 'signIn' },
  { path: '/signup', flow: 'signUp' },
  { path: '/forgotpassword', flow: 'forgotPassword' },
  { path: '/resetpassword/a-token', flow: 'resetPassword', params: { secret: '…' } },
  { path: '/subscription', flow: 'subscription', hides: hiddenWhilePaying },
  { path: '/title/purchase?titleid=book', flow: 'purchase', params: { of: 'title', titleid: 'book' }, hides: hiddenWhilePaying },
  { path: '/id:book', flow: 'title', params: { titleId: 'book' } },
  { path: '/id:book/the-salt-road', flow: 'title', params: { titleId: 'book', name: 'the-salt-road' } },
  { path: '/isbn:9780306406157', flow: 'title', params: { isbn: '9780306406157' } },
  { path: '/isbn:9780306406157/x', flow: 'title', params: { isbn: '9780306406157', name: 'x' } },
  createListAddress('/all', { type: 'all' }),
  createListAddress('/audio', { type: 'audio' }),
  createListAddress('/ebook', { type: 'ebook' }),
  createListAddress('/video', { type: 'video' }),
  { ...createListAddress('/catalog/titles/printed', { catalog: 'printed' }), hides: ['subscribe'] },
  { ...createListAddress('/titleset/titles/summer', { titleset: 'summer' }), hides: ['subscribe'] },
  createListAddress('/all/novels', { type: 'all', category: 'novels' }),
  createListAddress('/ebook/x/tag-novels', { type: 'ebook', parent: 'x', category: 'tag-novels' }),
  createListAddress('/all/fiction/x/novels', { type: 'all', root: 'fiction', parent: 'x', category: 'novels' }),
  createListAddress('/all/fiction/x/y/novels', { type: 'all', root: 'fiction', parent: 'x', name: 'y', category: 'novels' }),
  createListAddress('/audio/%C3%89clair-of-Winter', { type: 'audio', category: 'Éclair-of-Winter' }),
  createListAddress('/audio/x/sound', { type: 'audio', parent: 'x', category: 'sound' }),
  { path: '/redeem', flow: 'redeem' },
  { path: '/redeem/A-CODE', flow: 'redeem', params: { secret: '…' } },
  { path: '/pages/public/about', flow: 'page', params: { kind: 'public', page: 'about' } },
  { path: '/pages/private/members', flow: 'page', params: { kind: 'private', page: 'members' } },
  { path: '/about', flow: 'information', params: { page: 'about' } },
  { path: '/terms', flow: 'information', params: { page: 'terms' }, hides: hiddenInDocuments },
  { path: '/privacy', flow: 'information', params: { page: 'privacy' }, hides: hiddenInDocuments },
  { path: '/campaign/spring', flow: 'campaign', params: { campaign: 'spring' } },
  { path: '/purchase', flow: 'cart', hides: hiddenWhilePaying },
  { path: '/auth0loginCallback', flow: 'providerReturn' },
  { path: '/404', flow: 'notFound', params: { page: '404' }, status: 404 },
  { path: '/500', flow: 'notFound', params: { page: '500' } },
  { path: '/subscription.aspx?code=c&planid=p', flow: 'subscription', hides: hiddenWhilePaying },
  { path: '/resetpassword.aspx?token=t', flow: 'resetPassword', params: { secret: '…' } },
  { path: '/resetpassword.aspx', flow: 'forgotPassword' },
  { path: '/account', flow: 'account', login: true },
  { path: '/wishlist', flow: 'wishList', hides: hiddenInLibrary },
  { path: '/mylibrary', flow: 'library', login: true, hides: hiddenInLibrary },
  { path: '/mylibrary/ebook', flow: 'library', params: { type: 'ebook' }, login: true, hides: hiddenInLibrary },
  { path: '/mylibrary/audio', flow: 'library', params: { type: 'audio' }, login: true, hides: hiddenInLibrary },
  { path: '/mylibrary/video', flow: 'library', params: { type: 'video' }, login: true, hides: hiddenInLibrary },
  { path: '/viewer?instanceid=i1', flow: 'viewer', params: { instanceid: 'i1' }, login: true, hides: hiddenWhileReading },
  {
    path: '/pdfviewer?instanceid=i1',
    flow: 'viewer',
    params: { instanceid: 'i1' },
    login: true,
    hides: [...hiddenWhileReading, 'topBar'],
  },
  { path: '/subscription/purchase', flow: 'purchase', params: { of: 'subscription' }, login: true, hides: hiddenWhilePaying },
  { path: '/checkout/complete?transId=t1', flow: 'purchase', params: { transId: 't1' }, login: true, hides: hiddenWhilePaying },
  {
    path: '/subscription/purchase/success',
    flow: 'receipt',
    params: { of: 'subscription' },
    login: true,
    hides: hiddenWhilePaying,
  },
  {
    path: '/title/purchase/success?transId=t1',
    flow: 'receipt',
    params: { transId: 't1' },
    login: true,
    hides: hiddenWhilePaying,
  },
  { path: '/cart/checkout', flow: 'purchase', params: { of: 'cart' }, login: true, hides: hiddenWhilePaying },
  {
    path: '/cart/purchase/success?transId=t1',
    flow: 'receipt',
    params: { transId: 't1' },
    login: true,
    hides: hiddenWhilePaying,
  },
  { path: '/invalid', flow: 'invalid', hides: [...hiddenWhileReading, 'topBar'] },
];

/** The addresses of the flows' declared examples that the specification does not list. */
export const findExtraExamples = (
  specified: readonly Address[],
  declared: readonly FlowDefinition<Exclude<Route['flow'], 'invalid'>>[],
): Address[] => {
  const paths = new Set(specified.map(({ path }) => path));
  return declared.flatMap(({ name: flow, routes }) =>
    routes.flatMap(({ examples, access, hides = [] }) =>
      examples
        .filter((path) => !paths.has(path))
        .map((path) => ({ path, flow, params: null, hides, ...(access === 'login' && { login: true as const }) })),
    ),
  );
};

/** The addresses that both page and server must route as expected. */
export const addresses: readonly Address[] = [...specifiedAddresses, ...findExtraExamples(specifiedAddresses, flows)];

/** Addresses that no row of the specification names. */
export const unknownPaths: readonly string[] = [
  '/nowhere',
  '/no/such/page',
  '/mylibrary/scrolls',
  '/mylibrary/audio/x',
  '/id:',
  '/id:/x',
  '/id:book/a/b',
  '/isbn:',
  '/signin/x',
  '/purchase/success',
  '/cart',
  '/cart/purchase',
  '/subscription/plans',
  '/title/purchase/success/x',
  '/redeem/a/b',
  '/resetpassword',
  '/resetpassword/a/b',
  '/pages',
  '/pages/public',
  '/pages/secret/about',
  '/pages/public/about/x',
  '/campaign',
  '/campaign/spring/x',
  '/catalog/titles',
  '/titleset/all/x',
  '/all/a/b/c/d/e',
  '/all//x',
  '/about/x',
  '/account/x',
  '/Subscription.aspx',
  '/signin.aspx',
  '//evil.example/',
  '/viewer/x',
  '/auth0logincallback',
];

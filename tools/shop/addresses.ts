import type { FramePart, FlowDefinition } from '../../machines/flows/flow-definition.ts';
import type { Route } from '../../machines/flows/route.ts';
import { flows } from '../../machines/flows/registry.ts';

/** An address of the shop, in a store that has the things that it names. */
export type Address = {
  path: string;
  flow: Route['flow'];
  /** None where it is left out; null where nobody says. */
  params?: Record<string, string> | null;
  /** Visitors are sent to sign in. */
  login?: true;
  /** Parts of the frame that its screen does without. */
  hides?: readonly FramePart[];
  /** The status with which the server sends the page. */
  status?: 200 | 404;
};

const paying: FramePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];
const reading: FramePart[] = [...paying, 'signIn', 'footer'];
const library: FramePart[] = ['sidebar', 'topFilter'];
const documents: FramePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

const list = (path: string, params: Record<string, string>): Address => ({ path, flow: 'catalogue', params });

/** The addresses of section 2 of the specification, written by hand: what the registry declares is held against them. */
const specified: readonly Address[] = [
  { path: '/', flow: 'landing', hides: ['home'] },
  { path: '/signin', flow: 'signIn' },
  { path: '/signup', flow: 'signUp' },
  { path: '/forgotpassword', flow: 'forgotPassword' },
  { path: '/resetpassword/a-token', flow: 'resetPassword', params: { secret: '…' } },
  { path: '/subscription', flow: 'subscription', hides: paying },
  { path: '/title/purchase?titleid=book', flow: 'purchase', params: { of: 'title', titleid: 'book' }, hides: paying },
  { path: '/id:book', flow: 'title', params: { titleId: 'book' } },
  { path: '/id:book/the-salt-road', flow: 'title', params: { titleId: 'book', name: 'the-salt-road' } },
  { path: '/isbn:9780306406157', flow: 'title', params: { isbn: '9780306406157' } },
  { path: '/isbn:9780306406157/x', flow: 'title', params: { isbn: '9780306406157', name: 'x' } },
  list('/all', { type: 'all' }),
  list('/audio', { type: 'audio' }),
  list('/ebook', { type: 'ebook' }),
  list('/video', { type: 'video' }),
  { ...list('/catalog/titles/printed', { catalog: 'printed' }), hides: ['subscribe'] },
  { ...list('/titleset/titles/summer', { titleset: 'summer' }), hides: ['subscribe'] },
  list('/all/novels', { type: 'all', category: 'novels' }),
  list('/ebook/x/tag-novels', { type: 'ebook', parent: 'x', category: 'tag-novels' }),
  list('/all/fiction/x/novels', { type: 'all', root: 'fiction', parent: 'x', category: 'novels' }),
  list('/all/fiction/x/y/novels', { type: 'all', root: 'fiction', parent: 'x', name: 'y', category: 'novels' }),
  list('/audio/%C3%89clair-of-Winter', { type: 'audio', category: 'Éclair-of-Winter' }),
  list('/audio/x/sound', { type: 'audio', parent: 'x', category: 'sound' }),
  { path: '/redeem', flow: 'redeem' },
  { path: '/redeem/A-CODE', flow: 'redeem', params: { secret: '…' } },
  { path: '/pages/public/about', flow: 'page', params: { kind: 'public', page: 'about' } },
  { path: '/pages/private/members', flow: 'page', params: { kind: 'private', page: 'members' } },
  { path: '/about', flow: 'information', params: { page: 'about' } },
  { path: '/terms', flow: 'information', params: { page: 'terms' }, hides: documents },
  { path: '/privacy', flow: 'information', params: { page: 'privacy' }, hides: documents },
  { path: '/campaign/spring', flow: 'campaign', params: { campaign: 'spring' } },
  { path: '/purchase', flow: 'cart', hides: paying },
  { path: '/auth0loginCallback', flow: 'providerReturn' },
  { path: '/404', flow: 'notFound', params: { page: '404' }, status: 404 },
  { path: '/500', flow: 'notFound', params: { page: '500' } },
  { path: '/subscription.aspx?code=c&planid=p', flow: 'subscription', hides: paying },
  { path: '/resetpassword.aspx?token=t', flow: 'resetPassword', params: { secret: '…' } },
  { path: '/resetpassword.aspx', flow: 'forgotPassword' },
  { path: '/account', flow: 'account', login: true },
  { path: '/wishlist', flow: 'wishList', hides: library },
  { path: '/mylibrary', flow: 'library', login: true, hides: library },
  { path: '/mylibrary/ebook', flow: 'library', params: { type: 'ebook' }, login: true, hides: library },
  { path: '/mylibrary/audio', flow: 'library', params: { type: 'audio' }, login: true, hides: library },
  { path: '/mylibrary/video', flow: 'library', params: { type: 'video' }, login: true, hides: library },
  { path: '/viewer?instanceid=i1', flow: 'viewer', params: { instanceid: 'i1' }, login: true, hides: reading },
  {
    path: '/pdfviewer?instanceid=i1',
    flow: 'viewer',
    params: { instanceid: 'i1' },
    login: true,
    hides: [...reading, 'topBar'],
  },
  { path: '/subscription/purchase', flow: 'purchase', params: { of: 'subscription' }, login: true, hides: paying },
  { path: '/checkout/complete?transId=t1', flow: 'purchase', params: { transId: 't1' }, login: true, hides: paying },
  { path: '/subscription/purchase/success', flow: 'receipt', params: { of: 'subscription' }, login: true, hides: paying },
  { path: '/title/purchase/success?transId=t1', flow: 'receipt', params: { transId: 't1' }, login: true, hides: paying },
  { path: '/cart/checkout', flow: 'purchase', params: { of: 'cart' }, login: true, hides: paying },
  { path: '/cart/purchase/success?transId=t1', flow: 'receipt', params: { transId: 't1' }, login: true, hides: paying },
  { path: '/invalid', flow: 'invalid', hides: [...reading, 'topBar'] },
];

/** The examples of flows that no row says more of, each as its flow declares it. */
export const examplesBeside = (
  said: readonly Address[],
  declared: readonly FlowDefinition<Exclude<Route['flow'], 'invalid'>>[],
): Address[] => {
  const paths = new Set(said.map(({ path }) => path));
  return declared.flatMap(({ name: flow, routes }) =>
    routes.flatMap(({ examples, access, hides = [] }) =>
      examples
        .filter((path) => !paths.has(path))
        .map((path) => ({ path, flow, params: null, hides, ...(access === 'login' && { login: true as const }) })),
    ),
  );
};

/** What the shop and the server have to agree on, row by row. */
export const addresses: readonly Address[] = [...specified, ...examplesBeside(specified, flows)];

/** Addresses that no row of the specification names. */
export const nowhere: readonly string[] = [
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

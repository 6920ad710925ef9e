/**
 * The addresses of the shop: machines navigate to them, views link to them, the server lists them
 * and gives one to the gateway as its return URL. It has no imports, so that the server can use it
 * as well.
 */

/**
 * A lone surrogate cannot be encoded; a name that was truncated inside a pair still gets an
 * address.
 */
const encodeSegment = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));

/** One path segment; empty for an empty text. */
const toSegment = (text: string): string => (text === '' ? '' : `/${encodeSegment(text)}`);

/** A query, as text or as values; empty values are omitted. */
type Query = string | Readonly<Record<string, string>>;

export const withQuery = (path: string, query: Query): string => {
  const text =
    typeof query === 'string'
      ? query
      : Object.entries(query)
          .filter(([, value]) => value !== '')
          .map(([key, value]) => `${encodeSegment(key)}=${encodeSegment(value)}`)
          .join('&');
  return text === '' ? path : `${path}?${text}`;
};

/**
 * A name as the last part of an address: spaces and slashes become dashes, at most 60 characters.
 */
export const slug = (name: string): string =>
  [...name.trim().replaceAll(/[\s/]+/g, '-')]
    .slice(0, 60)
    .join('')
    .replaceAll(/^-+|-+$/g, '');

/** A title's own page; the name is only for human readers. */
export const titlePath = (id: string, name = ''): string => `/id:${encodeSegment(id)}${toSegment(slug(name))}`;

/** All titles of a kind. */
export const listPath = (kind: string): string => toSegment(kind);

/**
 * The list of a category, of one kind of title or of all: its name is for readers, its id
 * identifies it.
 */
export const categoryPath = ({ id, name }: { id: string; name: string }, kind = 'all'): string =>
  `${listPath(kind)}${toSegment(slug(name.toLowerCase()))}${toSegment(id)}`;

/** The titles of a catalogue or a title set. */
export const collectionPath = (kind: string, id: string): string => `/${kind}/titles${toSegment(id)}`;

/** All titles, newest first. */
export const newestPath = '/all/new';

/** Lists of all titles with their own path, and the query of `/all` that each implies. */
export const shelfQueries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [newestPath]: { sort: 'newest' },
  '/all/popular': { sort: 'popular' },
  '/all/free': { free: 'true' },
};

/**
 * The address of a list with a query. A path such as `/all/free` implies parts of the query
 * (`shelves`): it is kept while the query has these parts, which are then omitted.
 */
export const toShortListPath = (path: string, query: ReadonlyMap<string, string>): string => {
  const meant = new Map(Object.entries(shelfQueries[path] ?? {}));
  const isMeant = [...meant].every(([key, value]) => query.get(key) === value);
  const shown = isMeant ? [...query].filter(([key]) => !meant.has(key)) : query;
  return withQuery(isMeant ? path : '/all', Object.fromEntries(shown));
};

/** All titles by an author. */
export const authorPath = (author: string): string => withQuery(listPath('all'), { author });

/** A series, in its order. */
export const seriesPath = (series: string): string => withQuery(listPath('all'), { series });

/** The titles that a plan includes. */
export const planPath = (plan: string): string => withQuery(listPath('all'), { plan });

export const searchPath = (search: string): string => withQuery(listPath('all'), { search });

/** The cart. */
export const cartPath = '/purchase';

/** The checkout of the cart. */
export const cartCheckoutPath = '/cart/checkout';

/** Buying the whole cart as a gift. */
export const cartGiftPath = '/cart/gift';

/** The gateway's return URL after paying for a cart as a gift. */
export const cartGiftReturnPath = (transId: string): string => withQuery(cartGiftPath, { transId });

/** The plans. */
export const plansPath = '/subscription';

/** The page to subscribe to a plan. */
export const subscribePath = (planId: string, code = ''): string => withQuery('/subscription/purchase', { planid: planId, code });

/** The page after a new subscription. */
export const subscribedPath = '/subscription/purchase/success';

export const purchasePath = (titleId: string): string => withQuery('/title/purchase', { titleid: titleId });

/** The success page of a purchase; the address marks a gift. */
export const purchaseSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/title/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** The success page of a cart's purchase; the address marks a gift. */
const cartSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/cart/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** The gateway's return URL after a payment. */
export const paymentReturnPath = (transId: string): string => withQuery('/checkout/complete', { transId });

/** The account page, at one of its sections. */
export const accountPath = (part: 'credits' | 'ways'): string => withQuery('/account', { part });

/** Buying a title as a gift. */
export const giftPath = (titleId: string): string => withQuery('/title/gift', { titleid: titleId });

/** The gateway's return URL after paying for a gift. */
export const giftReturnPath = (transId: string): string => withQuery('/title/gift', { transId });

/** The gateway's return URL after storing a card. */
export const cardReturnPath = '/account';

/** The success pages, by the purpose of the payment. */
const successPaths = {
  title: (transId: string) => purchaseSuccessPath(transId),
  gift: (transId: string) => purchaseSuccessPath(transId, true),
  cart: (transId: string) => cartSuccessPath(transId),
  cartGift: (transId: string) => cartSuccessPath(transId, true),
  subscription: () => subscribedPath,
};

type PurchaseKind = keyof typeof successPaths;

/** The success page of a payment. */
export const successPath = (of: PurchaseKind, transId: string): string => successPaths[of](transId);

/** The first page of a purchase: of a title by its id, of a plan by its id, or of the cart. */
export const purchaseStartPath = ({ of, titleId, planId }: { of: PurchaseKind; titleId: string; planId: string }): string =>
  ({
    title: purchasePath(titleId),
    gift: giftPath(titleId),
    cart: cartCheckoutPath,
    cartGift: cartGiftPath,
    subscription: subscribePath(planId),
  })[of];

export const viewerPath = (instanceId: string): string => withQuery('/viewer', { instanceid: instanceId });

/** A sample is read in the viewer, by the title's own id. */
export const samplePath = (titleId: string): string => withQuery('/viewer', { instanceid: titleId, sample: '1' });

export const libraryPath = (kind = 'all', sort = ''): string =>
  withQuery(`/mylibrary${kind === 'all' ? '' : listPath(kind)}`, { sort });

export const signInPath = (query: Query = ''): string => withQuery('/signin', query);

export const signUpPath = (query: Query = ''): string => withQuery('/signup', query);

export const forgotPasswordPath = '/forgotpassword';

export const resetPasswordPath = (token: string): string => `/resetpassword${toSegment(token)}`;

/** The callback page of identity providers. */
export const providerReturnPath = '/auth0loginCallback';

/** A content page of the store that is public. */
export const pagePath = (name: string): string => `/pages/public${toSegment(name)}`;

export const campaignPath = (id: string): string => `/campaign${toSegment(id)}`;

/**
 * Where everything stands in the shop: machines go to these addresses, views link to them, the server lists them and has the
 * gateway return to one. It imports nothing, so that the server may read it as well.
 */

/** Half of a surrogate pair has no encoding; a name that was cut in the middle of one still gets an address. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));

/** A step of a path; nothing where there is no text. */
const step = (text: string): string => (text === '' ? '' : `/${encoded(text)}`);

/** What follows the question mark: as text, or as values, of which empty ones are left out. */
type Query = string | Readonly<Record<string, string>>;

export const withQuery = (path: string, query: Query): string => {
  const text =
    typeof query === 'string'
      ? query
      : Object.entries(query)
          .filter(([, value]) => value !== '')
          .map(([key, value]) => `${encoded(key)}=${encoded(value)}`)
          .join('&');
  return text === '' ? path : `${path}?${text}`;
};

/** A name as the end of an address: spaces and slashes are dashes, at most 60 characters. */
export const slug = (name: string): string =>
  [...name.trim().replaceAll(/[\s/]+/g, '-')]
    .slice(0, 60)
    .join('')
    .replaceAll(/^-+|-+$/g, '');

/** A title's own page; its name is for people alone. */
export const titlePath = (id: string, name = ''): string => `/id:${encoded(id)}${step(slug(name))}`;

/** All titles of a kind. */
export const listPath = (kind: string): string => step(kind);

/** The list of a category, of one kind of title or of all: its name to be read, its id to be found again by. */
export const categoryPath = ({ id, name }: { id: string; name: string }, kind = 'all'): string =>
  `${listPath(kind)}${step(slug(name.toLowerCase()))}${step(id)}`;

/** The titles of a catalogue or a title set. */
export const collectionPath = (kind: string, id: string): string => `/${kind}/titles${step(id)}`;

/** All titles, the newest first. */
export const newestPath = '/all/new';

/** Lists of all titles that have an address of their own, with what it stands for in the query of `/all`. */
export const shelves: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [newestPath]: { sort: 'newest' },
  '/all/popular': { sort: 'popular' },
  '/all/free': { free: 'true' },
};

/**
 * The address of a list with a query. A path such as `/all/free` implies parts of the query
 * (`shelves`): it is kept while the query has these parts, which are then left out.
 */
export const addressOfList = (path: string, query: ReadonlyMap<string, string>): string => {
  const meant = new Map(Object.entries(shelves[path] ?? {}));
  const isMeant = [...meant].every(([key, value]) => query.get(key) === value);
  const shown = isMeant ? [...query].filter(([key]) => !meant.has(key)) : query;
  return withQuery(isMeant ? path : '/all', Object.fromEntries(shown));
};

/** Everything that somebody wrote. */
export const authorPath = (author: string): string => withQuery(listPath('all'), { author });

/** A series, in its order. */
export const seriesPath = (series: string): string => withQuery(listPath('all'), { series });

/** What the subscribers of a plan read. */
export const planPath = (plan: string): string => withQuery(listPath('all'), { plan });

export const searchPath = (search: string): string => withQuery(listPath('all'), { search });

/** The cart. */
export const cartPath = '/purchase';

/** Paying for it. */
export const cartCheckoutPath = '/cart/checkout';

/** Giving all of it to another person. */
export const cartGiftPath = '/cart/gift';

/** Where the gateway sends those back to who pay for such a gift. */
export const cartGiftReturnPath = (transId: string): string => withQuery(cartGiftPath, { transId });

/** The plans. */
export const plansPath = '/subscription';

/** A plan's page of subscribing. */
export const subscribingPath = (planId: string, code = ''): string =>
  withQuery('/subscription/purchase', { planid: planId, code });

/** Where those arrive who have subscribed. */
export const subscribedPath = '/subscription/purchase/success';

export const purchasePath = (titleId: string): string => withQuery('/title/purchase', { titleid: titleId });

/** The page of what was bought, of which the address says that it was a gift. */
export const purchaseSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/title/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** The same of a cart. */
const cartSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/cart/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** Where the gateway sends its customers back to. */
export const paymentReturnPath = (transId: string): string => withQuery('/checkout/complete', { transId });

/** The account, at one of its parts. */
export const accountPath = (part: 'credits' | 'ways'): string => withQuery('/account', { part });

/** Where a title is given to somebody. */
export const giftPath = (titleId: string): string => withQuery('/title/gift', { titleid: titleId });

/** Where the gateway sends those back to who pay for a gift. */
export const giftReturnPath = (transId: string): string => withQuery('/title/gift', { transId });

/** Where the gateway sends those back to who have left a card with it. */
export const cardReturnPath = '/account';

/** The pages that payments end on, by what was paid for. */
const successPaths = {
  title: (transId: string) => purchaseSuccessPath(transId),
  gift: (transId: string) => purchaseSuccessPath(transId, true),
  cart: (transId: string) => cartSuccessPath(transId),
  cartGift: (transId: string) => cartSuccessPath(transId, true),
  subscription: () => subscribedPath,
};

type Bought = keyof typeof successPaths;

/** The page that a payment ends on. */
export const successPath = (of: Bought, transId: string): string => successPaths[of](transId);

/**
 * The page on which a purchase begins: of a title by its id, of a plan by its id, or of the cart.
 */
export const beginningPath = ({ of, titleId, planId }: { of: Bought; titleId: string; planId: string }): string =>
  ({
    title: purchasePath(titleId),
    gift: giftPath(titleId),
    cart: cartCheckoutPath,
    cartGift: cartGiftPath,
    subscription: subscribingPath(planId),
  })[of];

export const viewerPath = (instanceId: string): string => withQuery('/viewer', { instanceid: instanceId });

/** A sample is read in the viewer, by the title's own id. */
export const samplePath = (titleId: string): string => withQuery('/viewer', { instanceid: titleId, sample: '1' });

export const libraryPath = (kind = 'all', sort = ''): string =>
  withQuery(`/mylibrary${kind === 'all' ? '' : listPath(kind)}`, { sort });

export const signInPath = (query: Query = ''): string => withQuery('/signin', query);

export const signUpPath = (query: Query = ''): string => withQuery('/signup', query);

export const forgotPasswordPath = '/forgotpassword';

export const resetPasswordPath = (token: string): string => `/resetpassword${step(token)}`;

/** Where a provider leads back to whoever signs in by it. */
export const providerReturnPath = '/auth0loginCallback';

/** One of the store's own pages that everybody may see. */
export const pagePath = (name: string): string => `/pages/public${step(name)}`;

export const campaignPath = (id: string): string => `/campaign${step(id)}`;

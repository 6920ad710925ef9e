import type { AnyStateMachine } from 'xstate';
import type { ExploreOptions } from '../paths/explore.ts';
import { withEveryRejection } from '../paths/outcomes.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import { StoreProperties } from '../model/store/store.ts';
import * as v from 'valibot';
import { described, type AnyDescription } from './description.ts';
import { preparations } from './preparations.ts';

/** A machine with what its exploration needs: an input, and the cases of its events. */
export type PathModel = ExploreOptions & {
  name: string;
  machine: AnyStateMachine;
  description: AnyDescription;
  /** What has to be done to start with this input, as orders to somebody who tests by hand. */
  given: string;
  /**
   * The events by which is said what the server is asked for, such as a code that is typed, and what is done where it does not matter.
   * Without them each request may be of something else.
   */
  enters?: { by: readonly string[]; usual: string };
};

export const problems = {
  offline: { kind: 'offline' },
  timeout: { kind: 'timeout' },
  unauthorized: { kind: 'unauthorized' },
  malformed: { kind: 'malformed', call: 'payment/session', field: '', message: 'not XML' },
  invalidStore: { kind: 'invalidStore' },
  notFound: { kind: 'refused', code: 'not_found', message: 'No such title' },
  notOwned: { kind: 'refused', code: 'not_owned', message: 'Not in this library' },
  declined: { kind: 'refused', code: 'card_declined', message: 'The card was declined' },
  priceChanged: { kind: 'refused', code: 'price_changed', message: 'The price is now 12.00' },
  alreadyOwned: { kind: 'refused', code: 'already_owned', message: 'Already bought' },
  rateLimited: { kind: 'refused', code: 'too_many_requests', message: 'Too many attempts', retryAfterSeconds: 60 },
} satisfies Record<string, Problem>;

const problemSays = (problem: Problem): string => {
  if (problem.kind === 'refused') return `the server refuses (${problem.code})`;
  if (problem.kind === 'http') return `the server answers with status ${problem.status}`;
  const texts = {
    offline: 'the network is down',
    timeout: 'no answer comes in time',
    unauthorized: 'the session is not valid (401)',
    invalidStore: 'there is no such store (status Invalid)',
    malformed: 'the answer cannot be read',
  };
  return texts[problem.kind];
};

/** A port rejects with a Problem, or with what a defect has thrown. */
const rejection = (error: Problem | string) =>
  described(typeof error === 'string' ? 'something in the shop itself breaks' : problemSays(error), { error });

/** Rejections of a port, one case each. */
export const rejections = (...list: Problem[]) => list.map(rejection);

/** A rejection that somebody who tests by hand brings about otherwise than by the call. */
export const rejected = (problem: Problem, before: string) => described(problemSays(problem), { error: problem }, before);

/** The news that a session has begun or ended. */
export const sessions = [
  described('in another tab somebody signs in', { userId: 'u2', ended: false }),
  described('in another tab the customer signs out', { userId: null, ended: false }),
];

/** The news that the server knows the session no longer. */
export const sessionEnded = described('the server answers a call with 401', { userId: null, ended: true }, preparations.spoilt);

export const store = v.parse(StoreProperties, {
  shelfId: 'harbour',
  enableAudioTitle: true,
  enableVideoTitle: true,
  enableGiftingTitle: true,
  additions: ['user/data', 'user/wishlist'],
});

export const route = (part: Partial<Route> = {}): Route => ({
  flow: 'landing',
  path: '/',
  params: {},
  query: {},
  access: 'public',
  hides: [],
  ...part,
});

export const flowInput = (part: Partial<Route> = {}, more: Partial<FlowInput> = {}): FlowInput => ({
  route: route(part),
  signedIn: false,
  resume: null,
  store,
  ...more,
});

export const summary = {
  id: '1001',
  name: 'The Keeper’s Third Log',
  subtitle: '',
  authors: ['Ines Aldous'],
  type: 'ebook' as const,
  medium: 'epub' as const,
  cover: null,
  prices: [{ amount: 9.99, currency: 'USD', symbol: '$' }],
  free: false,
  forSale: true,
  hasSample: true,
};

export const title = {
  ...summary,
  isbn: '',
  narrators: [],
  publisher: 'Harbour Press',
  publishedDate: '2025-03-01',
  language: 'en',
  description: 'A lamp goes out.',
  pages: null,
  durationSeconds: null,
  wordCount: 3200,
  series: null,
  authorTitles: 0,
  categories: [],
};

/** The model, with every port rejecting with every kind of `Problem`, whichever of them the model names. */
export const rejecting = (model: PathModel): PathModel => ({
  ...model,
  cases: withEveryRejection(model.machine, model.cases, rejection),
});

import type { AnyStateMachine } from 'xstate';
import type { ExploreOptions } from '../paths/explore.ts';
import { withEveryRejection } from '../paths/outcomes.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import { StoreProperties } from '../model/store/store.ts';
import * as v from 'valibot';
import { describeCase, type AnyDescription } from './description.ts';
import { preparations } from './preparations.ts';

/** A machine with the input of its exploration and the cases of its events. */
export type PathModel = ExploreOptions & {
  name: string;
  machine: AnyStateMachine;
  description: AnyDescription;
  /** The preparation for this input, as instructions for manual testers. */
  given: string;
  /**
   * The events that supply a request's input, such as a typed code, and the usual way to send them
   * if the input does not matter. Without them each request may have another input.
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

const describeProblem = (problem: Problem): string => {
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

/** A port's rejection with a `Problem`, or with the error of a defect. */
const toRejectionCase = (error: Problem | string) =>
  describeCase(typeof error === 'string' ? 'something in the shop itself breaks' : describeProblem(error), { error });

/** Rejections of a port, one case each. */
export const toRejectionCases = (...list: Problem[]) => list.map(toRejectionCase);

/** A rejection that manual testers cause by other means than blocking the call. */
export const createRejectionCase = (problem: Problem, before: string) =>
  describeCase(describeProblem(problem), { error: problem }, before);

/** The events that a session has started or ended. */
export const sessionCases = [
  describeCase('in another tab somebody signs in', { userId: 'u2', ended: false }),
  describeCase('in another tab the customer signs out', { userId: null, ended: false }),
];

/** The event that the server no longer accepts the session. */
export const sessionEndedCase = describeCase(
  'the server answers a call with 401',
  { userId: null, ended: true },
  preparations.spoilt,
);

export const store = v.parse(StoreProperties, {
  shelfId: 'harbour',
  enableAudioTitle: true,
  enableVideoTitle: true,
  enableGiftingTitle: true,
  additions: ['user/data', 'user/wishlist'],
});

export const createRoute = (part: Partial<Route> = {}): Route => ({
  flow: 'landing',
  path: '/',
  params: {},
  query: {},
  access: 'public',
  hides: [],
  ...part,
});

export const createFlowInput = (part: Partial<Route> = {}, more: Partial<FlowInput> = {}): FlowInput => ({
  route: createRoute(part),
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

/**
 * The model with every port rejecting with every kind of `Problem`, in addition to those that it
 * lists.
 */
export const withAllRejections = (model: PathModel): PathModel => ({
  ...model,
  cases: withEveryRejection(model.machine, model.cases, toRejectionCase),
});

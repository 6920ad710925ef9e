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
  /** The instructions by which manual testers reach the start of the model. */
  startInstruction: string;
  /**
   * The types of the events that supply the input of the requests, such as a typed code, and the
   * instruction to send one if the input does not matter. If omitted, requests are independent.
   */
  requestInput?: { eventTypes: readonly string[]; defaultInstruction: string };
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

/** A case in which a port rejects with a `Problem`, or with the message of a defect. */
const toRejectionCase = (error: Problem | string) =>
  describeCase(typeof error === 'string' ? 'the app itself fails' : describeProblem(error), { error });

/** One case for each of a port's rejections. */
export const toRejectionCases = (...problemList: Problem[]) => problemList.map(toRejectionCase);

/** A case of a rejection with its preparation, if blocking the call does not cause it. */
export const createRejectionCase = (problem: Problem, preparation: string) =>
  describeCase(describeProblem(problem), { error: problem }, preparation);

/** Cases of `session.changed`: sign-in and sign-out in another tab. */
export const sessionCases = [
  describeCase('a customer signs in in another tab', { userId: 'u2', ended: false }),
  describeCase('the customer signs out in another tab', { userId: null, ended: false }),
];

/** The case of `session.changed` in which the server no longer accepts the session. */
export const sessionEndedCase = describeCase(
  'the server answers a call with 401',
  { userId: null, ended: true },
  preparations.invalidToken,
);

export const store = v.parse(StoreProperties, {
  shelfId: 'harbour',
  enableAudioTitle: true,
  enableVideoTitle: true,
  enableGiftingTitle: true,
  additions: ['user/data', 'user/wishlist'],
});

export const createRoute = (overrides: Partial<Route> = {}): Route => ({
  flow: 'landing',
  path: '/',
  params: {},
  query: {},
  access: 'public',
  hides: [],
  ...overrides,
});

export const createFlowInput = (routeOverrides: Partial<Route> = {}, overrides: Partial<FlowInput> = {}): FlowInput => ({
  route: createRoute(routeOverrides),
  signedIn: false,
  resume: null,
  store,
  ...overrides,
});

export const titleSummary = {
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
  ...titleSummary,
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
 * Returns a copy of a model in which every port also rejects with every kind of `Problem` that the
 * model does not list.
 */
export const withAllRejections = (model: PathModel): PathModel => ({
  ...model,
  cases: withEveryRejection(model.machine, model.cases, toRejectionCase),
});

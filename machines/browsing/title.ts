import { assign, sendParent, setup, type EventObject } from 'xstate';
import { failed, failsOrIsMissing, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { purchasePath, samplePath, viewerPath } from '../model/paths.ts';
import { isFree } from '../model/catalogue/price.ts';
import type { Problem } from '../model/problem.ts';
import type { Access } from '../model/buying/purchase.ts';
import type { Title, TitleSummary } from '../model/catalogue/title.ts';
import { channelPort, isMissing, openEnded, outputIn, problemIn, requestPort } from '../ports.ts';
import { sharingMachine } from './sharing.ts';

/** A title's page is reached by its id, its ISBN, or (by old links) by the name alone. */
export type TitleReference = { titleId: string } | { isbn: string } | { name: string };

/** A row of other titles: of the same series, by the same author, or like this one. */
export type Shelf = { kind: 'series' | 'author' | 'similar'; titles: TitleSummary[] };

/** Where other titles are looked for; null where the shop has none of the series, or by the author. */
export type OtherTitles = { titleId: string; series: string | null; author: string | null };

type Context = {
  reference: TitleReference;
  signedIn: boolean;
  resume: string | null;
  showsRelated: boolean;
  showsComments: boolean;
  title: Title | null;
  related: Shelf[];
  /** The customer's copy, when there is one: their own, or that of their subscription. */
  instanceId: string | null;
  /** Their subscription opens it. */
  withSubscription: boolean;
  problem: Problem | null;
};

const referenceIn = (params: Record<string, string>): TitleReference => {
  if (params['titleId'] !== undefined) return { titleId: params['titleId'] };
  if (params['isbn'] !== undefined) return { isbn: params['isbn'] };
  return { name: params['name'] ?? '' };
};

/** The shelves that a title's page will have, as far as the title tells. */
export const otherTitles = ({ title }: Pick<Context, 'title'>): OtherTitles => ({
  titleId: title?.id ?? '',
  series: title?.series && title.series.titles > 0 ? title.series.name : null,
  author: title && title.authorTitles > 0 ? (title.authors[0] ?? null) : null,
});

/** Getting a free title, as what goes on after sign-in. */
const get = 'get';

const isForNothing = ({ title }: Pick<Context, 'title'>): boolean => title !== null && title.forSale && isFree(title);

const buying = { guard: 'isForSale', actions: 'goPurchase' } as const;

/** A title's page: what it is, what it costs, whether it is already the customer's, and what is like it; one press gets a free one. */
export const titleMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'buy.pressed' }
      | { type: 'read.pressed' }
      | { type: 'sample.pressed' }
      | { type: 'related.near' }
      | { type: 'comments.near' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `refused not_found` for an unknown title. */
    title: requestPort<Title, TitleReference>(),
    /** Whether the title is the customer's, or their subscription opens it. */
    ownership: requestPort<Access, { titleId: string }>(),
    /** Puts a title that is free, or that their subscription opens, into the customer's library: its instance id, the same one however often it is asked for. */
    grant: requestPort<string, { titleId: string }>(),
    /** Shelves of other titles, those without any left out. */
    related: requestPort<Shelf[], OtherTitles>(),
    /** Tells when the place for related titles comes into sight: until then they are not asked for. */
    relatedInView: channelPort<EventObject, { type: 'related.near' }>(),
    /** The same for the comments. */
    commentsInView: channelPort<EventObject, { type: 'comments.near' }>(),
    /** Puts the comments into their place; rejects where there is no service of comments or it does not come. */
    comments: openEnded(requestPort<null, { titleId: string; name: string }>()),
    sharing: sharingMachine,
  },
  actions: {
    keepTitle: assign({ title: (_, title: Title) => title, problem: null }),
    keepProblem: keepProblem(),
    keepAccess: assign((_, access: Access) => access),
    keepInstance: assign({ instanceId: (_, instanceId: string) => instanceId, problem: null }),
    /** What is given for nothing is the customer’s own, whatever was known before. */
    keepOwn: assign({ instanceId: (_, instanceId: string) => instanceId, withSubscription: false, problem: null }),
    keepRelated: assign({ related: (_, related: Shelf[]) => related }),
    askSignIn: sendParent({ type: 'signIn.needed', action: get }),
    beginAction: sendParent({ type: 'action.begun', action: get }),
    endAction: sendParent({ type: 'action.ended' }),
    goPurchase: sendParent(({ context }) => ({
      type: 'go',
      to: purchasePath(context.title?.id ?? ''),
      replace: false,
    })),
    goRead: sendParent(({ context }) => ({ type: 'go', to: viewerPath(context.instanceId ?? ''), replace: false })),
    goSample: sendParent(({ context }) => ({
      type: 'go',
      to: samplePath(context.title?.id ?? ''),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isSignedIn: ({ context }) => context.signedIn,
    showsRelated: ({ context }) => context.showsRelated,
    showsComments: ({ context }) => context.showsComments,
    isForSale: ({ context }) => context.title?.forSale === true,
    isForNothing: ({ context }) => isForNothing(context),
    canGet: ({ context }) => context.signedIn && isForNothing(context),
    resumesGet: ({ context }) => context.resume === get && isForNothing(context),
    hasSample: ({ context }) => context.title?.hasSample === true,
    isOwned: (_, { instanceId, withSubscription }: Access) => instanceId !== null && !withSubscription,
    // What is free is given for good.
    isIncluded: ({ context }, { withSubscription }: Access) => withSubscription && !isForNothing(context),
    isTaken: ({ context }) => context.instanceId !== null,
  },
}).createMachine({
  id: 'title',
  context: ({ input }) => ({
    reference: referenceIn(input.route.params),
    signedIn: input.signedIn,
    resume: input.resume,
    showsRelated: input.store.showRelatedTitles,
    showsComments: input.store.enableMblurb,
    title: null,
    related: [],
    instanceId: null,
    withSubscription: false,
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.titles/id', 'S7.titles/isbn'] },
      tags: 'busy',
      invoke: {
        id: 'title',
        src: 'title',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepTitle', params: outputIn } },
        onError: failsOrIsMissing,
      },
      on: { 'language.changed': { target: 'loading', reenter: true } },
    },
    /** The title stays until its words in the other language are there, or if they do not come. */
    translating: {
      tags: 'busy',
      invoke: {
        id: 'title',
        src: 'title',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepTitle', params: outputIn } },
        onError: 'shown',
      },
      on: { 'language.changed': { target: 'translating', reenter: true } },
    },
    notFound: { meta: { spec: ['S8.not-found'] } },
    failed,
    shown: {
      meta: { spec: ['S2./id', 'S2./isbn'] },
      type: 'parallel',
      on: {
        'sample.pressed': { guard: 'hasSample', actions: 'goSample' },
        'language.changed': 'translating',
      },
      invoke: {
        id: 'sharing',
        src: 'sharing',
        input: ({ context: { title } }) => ({ titleId: title?.id ?? '', name: title?.name ?? '' }),
      },
      states: {
        ownership: {
          initial: 'deciding',
          states: {
            deciding: {
              always: [{ guard: 'isSignedIn', target: 'checking' }, { target: 'notOwned' }],
            },
            checking: {
              meta: { spec: ['S7.user/has-title'] },
              tags: 'busy',
              invoke: {
                id: 'ownership',
                src: 'ownership',
                input: ({ context }) => ({ titleId: context.title?.id ?? '' }),
                onDone: [
                  {
                    guard: { type: 'isOwned', params: outputIn },
                    target: 'owned',
                    actions: { type: 'keepAccess', params: outputIn },
                  },
                  { guard: 'resumesGet', target: 'granting' },
                  {
                    guard: { type: 'isIncluded', params: outputIn },
                    target: 'included',
                    actions: { type: 'keepAccess', params: outputIn },
                  },
                  { target: 'notOwned' },
                ],
                onError: 'notOwned',
              },
            },
            notOwned: {
              on: {
                'buy.pressed': [{ guard: 'canGet', target: 'granting' }, { guard: 'isForNothing', actions: 'askSignIn' }, buying],
              },
            },
            granting: {
              meta: { spec: ['S7.purchase/free'] },
              tags: 'busy',
              entry: 'beginAction',
              exit: 'endAction',
              invoke: {
                id: 'grant',
                src: 'grant',
                input: ({ context }) => ({ titleId: context.title?.id ?? '' }),
                onDone: { target: 'owned', actions: { type: 'keepOwn', params: outputIn } },
                onError: { target: 'notGranted', actions: { type: 'keepProblem', params: problemIn } },
              },
            },
            notGranted: { on: { 'buy.pressed': 'granting' } },
            /** The customer's subscription opens it: it is read without buying it, and can be bought as well. */
            included: {
              meta: { spec: ['S2./id'] },
              on: { 'read.pressed': [{ guard: 'isTaken', actions: 'goRead' }, { target: 'taking' }], 'buy.pressed': buying },
            },
            taking: {
              tags: 'busy',
              invoke: {
                id: 'grant',
                src: 'grant',
                input: ({ context }) => ({ titleId: context.title?.id ?? '' }),
                onDone: { target: 'included', actions: [{ type: 'keepInstance', params: outputIn }, 'goRead'] },
                onError: { target: 'notTaken', actions: { type: 'keepProblem', params: problemIn } },
              },
            },
            notTaken: { on: { 'read.pressed': 'taking', 'buy.pressed': buying } },
            owned: { on: { 'read.pressed': { actions: 'goRead' } } },
          },
        },
        related: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'showsRelated', target: 'below' }, { target: 'hidden' }] },
            below: {
              invoke: { id: 'relatedInView', src: 'relatedInView' },
              on: { 'related.near': 'loading' },
            },
            loading: {
              meta: { spec: ['S7.titles/related'] },
              invoke: {
                id: 'related',
                src: 'related',
                input: ({ context }) => otherTitles(context),
                onDone: { target: 'listed', actions: { type: 'keepRelated', params: outputIn } },
                onError: 'hidden',
              },
            },
            listed: {},
            hidden: {},
          },
        },
        comments: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'showsComments', target: 'below' }, { target: 'hidden' }] },
            below: {
              invoke: { id: 'commentsInView', src: 'commentsInView' },
              on: { 'comments.near': 'loading' },
            },
            loading: {
              invoke: {
                id: 'comments',
                src: 'comments',
                input: ({ context: { title } }) => ({ titleId: title?.id ?? '', name: title?.name ?? '' }),
                onDone: 'shown',
                onError: 'hidden',
              },
            },
            shown: {},
            hidden: {},
          },
        },
      },
    },
  },
});

import { failed, failedOrNotFound } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { titleSetup, type Context, type RelatedTitlesRequest, type TitleReference } from './title-setup.ts';

const onBuyPressed = { guard: 'isForSale', actions: 'goPurchase' } as const;

/** A title's page: details, price, ownership and related titles; one press gets a free title. */
export const titleMachine = titleSetup.createMachine({
  id: 'title',
  context: ({ input }) => ({
    reference: toReference(input.route.params),
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
        onDone: { target: 'shown', actions: { type: 'keepTitle', params: getOutput } },
        onError: failedOrNotFound,
      },
      on: { 'language.changed': { target: 'loading', reenter: true } },
    },
    /** Keeps the title until its translation is loaded, and also if that fails. */
    translating: {
      tags: 'busy',
      invoke: {
        id: 'title',
        src: 'title',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepTitle', params: getOutput } },
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
                    guard: { type: 'isOwned', params: getOutput },
                    target: 'owned',
                    actions: { type: 'keepAccess', params: getOutput },
                  },
                  { guard: 'resumesGet', target: 'granting' },
                  {
                    guard: { type: 'isIncluded', params: getOutput },
                    target: 'included',
                    actions: { type: 'keepAccess', params: getOutput },
                  },
                  { target: 'notOwned' },
                ],
                onError: 'notOwned',
              },
            },
            notOwned: {
              on: {
                'buy.pressed': [
                  { guard: 'canGet', target: 'granting' },
                  { guard: 'isForNoGoods', actions: 'requestSignIn' },
                  onBuyPressed,
                ],
              },
            },
            granting: {
              meta: { spec: ['S7.purchase/free'] },
              tags: 'busy',
              entry: 'startAction',
              exit: 'endAction',
              invoke: {
                id: 'grant',
                src: 'grant',
                input: ({ context }) => ({ titleId: context.title?.id ?? '' }),
                onDone: { target: 'owned', actions: { type: 'keepOwn', params: getOutput } },
                onError: { target: 'notGranted', actions: { type: 'keepProblem', params: getProblem } },
              },
            },
            notGranted: { on: { 'buy.pressed': 'granting' } },
            /**
             * The customer's subscription opens the title: they can read it without buying, and can
             * also buy it.
             */
            included: {
              meta: { spec: ['S2./id'] },
              on: {
                'read.pressed': [{ guard: 'isTaken', actions: 'goRead' }, { target: 'taking' }],
                'buy.pressed': onBuyPressed,
              },
            },
            taking: {
              tags: 'busy',
              invoke: {
                id: 'grant',
                src: 'grant',
                input: ({ context }) => ({ titleId: context.title?.id ?? '' }),
                onDone: { target: 'included', actions: [{ type: 'keepInstance', params: getOutput }, 'goRead'] },
                onError: { target: 'notTaken', actions: { type: 'keepProblem', params: getProblem } },
              },
            },
            notTaken: { on: { 'read.pressed': 'taking', 'buy.pressed': onBuyPressed } },
            owned: { on: { 'read.pressed': { actions: 'goRead' } } },
          },
        },
        related: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'showsRelated', target: 'below' }, { target: 'hidden' }] },
            below: {
              invoke: { id: 'relatedInView', src: 'relatedInView' },
              on: { 'related.nearViewport': 'loading' },
            },
            loading: {
              meta: { spec: ['S7.titles/related'] },
              invoke: {
                id: 'related',
                src: 'related',
                input: ({ context }) => toRelatedTitlesRequest(context),
                onDone: { target: 'listed', actions: { type: 'keepRelated', params: getOutput } },
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
              on: { 'comments.nearViewport': 'loading' },
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

function toReference(params: Record<string, string>): TitleReference {
  if (params['titleId'] !== undefined) return { titleId: params['titleId'] };
  if (params['isbn'] !== undefined) return { isbn: params['isbn'] };
  return { name: params['name'] ?? '' };
}

/** The input for loading related titles, read from the title itself. */
export function toRelatedTitlesRequest({ title }: Pick<Context, 'title'>): RelatedTitlesRequest {
  return {
    titleId: title?.id ?? '',
    series: title?.series && title.series.titles > 0 ? title.series.name : null,
    author: title && title.authorTitles > 0 ? (title.authors[0] ?? null) : null,
  };
}

import { failed, failsOrIsMissing } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { titleSetup, type Context, type OtherTitles, type TitleReference } from './title-setup.ts';

const buying = { guard: 'isForSale', actions: 'goPurchase' } as const;

/** A title's page: what it is, what it costs, whether it is already the customer's, and what is like it; one press gets a free one. */
export const titleMachine = titleSetup.createMachine({
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

function referenceIn(params: Record<string, string>): TitleReference {
  if (params['titleId'] !== undefined) return { titleId: params['titleId'] };
  if (params['isbn'] !== undefined) return { isbn: params['isbn'] };
  return { name: params['name'] ?? '' };
}

/** The shelves that a title's page will have, as far as the title tells. */
export function otherTitles({ title }: Pick<Context, 'title'>): OtherTitles {
  return {
    titleId: title?.id ?? '',
    series: title?.series && title.series.titles > 0 ? title.series.name : null,
    author: title && title.authorTitles > 0 ? (title.authors[0] ?? null) : null,
  };
}

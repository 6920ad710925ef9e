import { assign, sendParent, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { purchasePath, samplePath, viewerPath } from '../model/paths.ts';
import { isFree } from '../model/catalogue/price.ts';
import type { Problem } from '../model/problem.ts';
import type { Access } from '../model/buying/purchase.ts';
import type { Title, TitleSummary } from '../model/catalogue/title.ts';
import { channelPort, isMissing, openEnded, requestPort } from '../ports.ts';
import { sharingMachine } from './sharing.ts';

/** A title's page is reached by its id, its ISBN, or (by old links) by the name alone. */
export type TitleReference = { titleId: string } | { isbn: string } | { name: string };

/** A row of other titles: of the same series, by the same author, or like this one. */
export type Shelf = { kind: 'series' | 'author' | 'similar'; titles: TitleSummary[] };

/**
 * Where other titles are looked for; null where the shop has none of the series, or by the author.
 */
export type OtherTitles = { titleId: string; series: string | null; author: string | null };

export type Context = {
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

/** Getting a free title, as the action that is resumed after sign-in. */
const get = 'get';

/** The ports, actions and guards of a title's page. */
export const titleSetup = setup({
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
    /**
     * Puts a title that is free, or that their subscription opens, into the customer's library: its
     * instance id, the same one however often it is asked for.
     */
    grant: requestPort<string, { titleId: string }>(),
    /** Shelves of other titles, those without any left out. */
    related: requestPort<Shelf[], OtherTitles>(),
    /**
     * Tells when the place for related titles comes into sight: until then they are not asked for.
     */
    relatedInView: channelPort<EventObject, { type: 'related.near' }>(),
    /** The same for the comments. */
    commentsInView: channelPort<EventObject, { type: 'comments.near' }>(),
    /**
     * Puts the comments into their place; rejects where there is no service of comments or it does
     * not come.
     */
    comments: openEnded(requestPort<null, { titleId: string; name: string }>()),
    sharing: sharingMachine,
  },
  actions: {
    keepTitle: assign({ title: (_, title: Title) => title, problem: null }),
    keepProblem: keepProblem(),
    keepAccess: assign((_, access: Access) => access),
    keepInstance: assign({ instanceId: (_, instanceId: string) => instanceId, problem: null }),
    /**
     * A title that is given free is the customer’s own, even if only the subscription opened it
     * before.
     */
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
    // A free title is given for good.
    isIncluded: ({ context }, { withSubscription }: Access) => withSubscription && !isForNothing(context),
    isTaken: ({ context }) => context.instanceId !== null,
  },
});

function isForNothing({ title }: Pick<Context, 'title'>): boolean {
  return title !== null && title.forSale && isFree(title);
}

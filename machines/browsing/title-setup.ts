import { assign, sendParent, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { samplePath, viewerPath } from '../model/paths.ts';
import { purchasePath } from '../model/purchase-paths.ts';
import { isFree } from '../model/catalogue/price.ts';
import type { Problem } from '../model/problem.ts';
import type { Access } from '../model/buying/purchase.ts';
import type { Title, TitleSummary } from '../model/catalogue/title.ts';
import { channelPort, isMissing, markOpenEnded, requestPort } from '../ports.ts';
import { sharingMachine } from './sharing.ts';

/** The reference to a title in the URL: its id or its ISBN; a name alone finds no title. */
export type TitleReference = { titleId: string } | { isbn: string } | { name: string };

/** A row of other titles: of the same series, by the same author, or similar ones. */
export type RelatedShelf = { kind: 'series' | 'author' | 'similar'; titles: TitleSummary[] };

/**
 * The input for loading related titles; `series` and `author` are null if the shop has no other
 * titles of the series or by the author.
 */
export type RelatedTitlesRequest = { titleId: string; series: string | null; author: string | null };

export type Context = {
  reference: TitleReference;
  signedIn: boolean;
  resume: string | null;
  showsRelated: boolean;
  showsComments: boolean;
  title: Title | null;
  related: RelatedShelf[];
  /** The customer's copy, if any: bought, granted free, or opened by their subscription. */
  instanceId: string | null;
  /** The customer's subscription opens the title. */
  withSubscription: boolean;
  problem: Problem | null;
};

/** The action that gets a free title after sign-in. */
const GET_FREE = 'get';

/** The ports, actions and guards of a title's page. */
export const titleSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'retry.pressed' }
      | { type: 'buy.pressed' }
      | { type: 'read.pressed' }
      | { type: 'sample.pressed' }
      | { type: 'related.nearViewport' }
      | { type: 'comments.nearViewport' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `refused not_found` for an unknown title. */
    title: requestPort<Title, TitleReference>(),
    /** Whether the customer owns the title, or their subscription opens it. */
    ownership: requestPort<Access, { titleId: string }>(),
    /**
     * Adds a title that is free, or that the subscription opens, to the customer's library and
     * returns the instance id; idempotent.
     */
    grant: requestPort<string, { titleId: string }>(),
    /** The shelves of related titles, without empty ones. */
    related: requestPort<RelatedShelf[], RelatedTitlesRequest>(),
    /** Signals that half of the section of related titles is visible: they load only then. */
    relatedInView: channelPort<EventObject, { type: 'related.nearViewport' }>(),
    /** Signals that half of the section of comments is visible: they load only then. */
    commentsInView: channelPort<EventObject, { type: 'comments.nearViewport' }>(),
    /** Mounts the comments; rejects if the comment service is missing or fails to load. */
    comments: markOpenEnded(requestPort<null, { titleId: string; name: string }>()),
    sharing: sharingMachine,
  },
  actions: {
    keepTitle: assign({ title: (_, title: Title) => title, problem: null }),
    keepProblem: keepProblem(),
    keepAccess: assign((_, access: Access) => access),
    keepInstance: assign({ instanceId: (_, instanceId: string) => instanceId, problem: null }),
    /**
     * A title that was granted free is owned by the customer, even if only the subscription opened
     * it before.
     */
    keepOwn: assign({ instanceId: (_, instanceId: string) => instanceId, withSubscription: false, problem: null }),
    keepRelated: assign({ related: (_, related: RelatedShelf[]) => related }),
    requestSignIn: sendParent({ type: 'signIn.needed', action: GET_FREE }),
    startAction: sendParent({ type: 'action.started', action: GET_FREE }),
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
    isForNoGoods: ({ context }) => isFreeForSale(context),
    canGet: ({ context }) => context.signedIn && isFreeForSale(context),
    resumesGet: ({ context }) => context.resume === GET_FREE && isFreeForSale(context),
    hasSample: ({ context }) => context.title?.hasSample === true,
    isOwned: (_, { instanceId, withSubscription }: Access) => instanceId !== null && !withSubscription,
    // A free title is granted for good, so it does not count as part of the subscription.
    isIncluded: ({ context }, { withSubscription }: Access) => withSubscription && !isFreeForSale(context),
    isTaken: ({ context }) => context.instanceId !== null,
  },
});

function isFreeForSale({ title }: Pick<Context, 'title'>): boolean {
  return title !== null && title.forSale && isFree(title);
}

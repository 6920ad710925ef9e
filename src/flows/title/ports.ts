import type { Access } from '../../../machines/model/buying/purchase.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { RelatedTitlesRequest, RelatedShelf, TitleReference } from '../../../machines/browsing/title-setup.ts';
import { purchaseFreeTitle } from '../../client/catalogue/free-title.ts';
import { ownershipChanged } from '../../client/library/ownership-changed.ts';
import { fetchTitleAccess } from '../../client/library/ownership.ts';
import { fallbackIfMissing, throwProblem } from '../../client/wire/problem.ts';
import { fetchTitle, fetchTitleByIsbn } from '../../client/catalogue/title.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { createCommentsPort } from './comments-port.ts';
import { fetchShelves } from './shelves.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { sharingMachine, type SharedTitle, type SharingOptions } from '../../../machines/browsing/sharing.ts';
import type { EventObject } from 'xstate';
import { awaitElement } from '../../ui/await-element.ts';

/**
 * Creates a port that sends `fact` once, when half of the element `[data-in-view="{name}"]` is in
 * the window.
 */
const createInViewPort = <Fact extends EventObject>(name: string, fact: Fact, firstScreenReady: Promise<void>) =>
  channelPort<EventObject, Fact>(({ sendBack }) => {
    const controller = new AbortController();
    const watch = async () => {
      await firstScreenReady;
      const element = await awaitElement('data-in-view', name, controller.signal);
      const onIntersection = (entries: IntersectionObserverEntry[]) => {
        if (!entries.some(({ intersectionRatio }) => intersectionRatio >= 0.5)) return;
        observer.disconnect();
        sendBack(fact);
      };
      const observer = new IntersectionObserver(onIntersection, { threshold: 0.5 });
      controller.signal.addEventListener('abort', () => observer.disconnect());
      observer.observe(element);
    };
    // `watch` rejects only when the machine has stopped the port.
    watch().catch(() => undefined);
    return () => controller.abort();
  });

const createSharing = (firstScreenReady: Promise<void>) =>
  sharingMachine.provide({
    actors: {
      ways: safePort<SharingOptions, SharedTitle>(
        async ({ input: { titleId, name } }) => {
          await firstScreenReady;
          return {
            link: new URL(titlePath(titleId, name), location.origin).href,
            sharesHere: typeof navigator.share === 'function',
          };
        },
        () => ({ link: location.href, sharesHere: false }),
      ),
      share: safePort<null, { link: string; name: string }>(
        async ({ input: { link, name } }) => {
          await navigator.share({ title: name, url: link });
          return null;
        },
        // The customer may dismiss the share dialog.
        () => null,
      ),
      copy: requestPort<null, { link: string }>(async ({ input: { link } }) => {
        await navigator.clipboard.writeText(link);
        return null;
      }),
    },
  });

const noAccess: Access = { instanceId: null, withSubscription: false };

export const flow = ({ api, scoped, firstScreenReady, token }: AppEnvironment) =>
  titleMachine.provide({
    actors: {
      title: requestPort<Title, TitleReference>(async ({ input, signal }) => {
        if ('titleId' in input) return fetchTitle(await api(), input.titleId, signal);
        if ('isbn' in input) return fetchTitleByIsbn(await api(), input.isbn, signal);
        return throwProblem({ kind: 'refused', code: 'not_found', message: '' });
      }),
      related: requestPort<RelatedShelf[], RelatedTitlesRequest>(async ({ input, signal }) =>
        fetchShelves(await api(), input, signal),
      ),
      relatedInView: createInViewPort('related', { type: 'related.nearViewport' }, firstScreenReady),
      commentsInView: createInViewPort('comments', { type: 'comments.nearViewport' }, firstScreenReady),
      comments: createCommentsPort({ api, token }),
      sharing: createSharing(firstScreenReady),
      ownership: requestPort<Access, { titleId: string }>(async ({ input, signal }) =>
        // The customer does not own a title that the server does not find in their library.
        fetchTitleAccess(await api(), input, signal).catch((error: unknown) => fallbackIfMissing(error, noAccess)),
      ),
      // Not aborted when the customer leaves the page: they have requested it, and it is free.
      grant: requestPort<string, { titleId: string }>(async ({ input: { titleId } }) => {
        const { instanceId } = await purchaseFreeTitle(await api(), { titleId, key: crypto.randomUUID() });
        scoped(ownershipChanged).emit();
        return instanceId;
      }),
    },
  });

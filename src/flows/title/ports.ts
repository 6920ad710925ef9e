import type { Access } from '../../../machines/model/buying/purchase.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { OtherTitles, Shelf, TitleReference } from '../../../machines/browsing/title-setup.ts';
import { purchaseFreeTitle } from '../../client/catalogue/free-title.ts';
import { grants } from '../../client/library/grants.ts';
import { titleAccess } from '../../client/library/ownership.ts';
import { orWhenMissing, raise } from '../../client/wire/problem.ts';
import { titleById, titleByIsbn } from '../../client/catalogue/title.ts';
import type { World } from '../../shell/app/world.ts';
import { comments } from './comments-port.ts';
import { shelvesOf } from './shelves.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { sharingMachine, type Shared, type Ways } from '../../../machines/browsing/sharing.ts';
import type { EventObject } from 'xstate';
import { awaitElement } from '../../ui/await-element.ts';

/** Tells once when half of the element `[data-in-view="{name}"]` is in the window. */
const inViewPort = <Fact extends EventObject>(name: string, fact: Fact, stands: Promise<void>) =>
  channelPort<EventObject, Fact>(({ sendBack }) => {
    const stopped = new AbortController();
    const watch = async () => {
      await stands;
      const element = await awaitElement('data-in-view', name, stopped.signal);
      const half = (entries: IntersectionObserverEntry[]) => {
        if (!entries.some(({ intersectionRatio }) => intersectionRatio >= 0.5)) return;
        observer.disconnect();
        sendBack(fact);
      };
      const observer = new IntersectionObserver(half, { threshold: 0.5 });
      stopped.signal.addEventListener('abort', () => observer.disconnect());
      observer.observe(element);
    };
    // It only ends early when the machine has stopped listening.
    watch().catch(() => undefined);
    return () => stopped.abort();
  });

const sharing = (stands: Promise<void>) =>
  sharingMachine.provide({
    actors: {
      ways: safePort<Ways, Shared>(
        async ({ input: { titleId, name } }) => {
          await stands;
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
        // The customer may think better of it.
        () => null,
      ),
      copy: requestPort<null, { link: string }>(async ({ input: { link } }) => {
        await navigator.clipboard.writeText(link);
        return null;
      }),
    },
  });

const noAccess: Access = { instanceId: null, withSubscription: false };

export const flow = ({ api, own, stands, token }: World) =>
  titleMachine.provide({
    actors: {
      title: requestPort<Title, TitleReference>(async ({ input, signal }) => {
        if ('titleId' in input) return titleById(await api(), input.titleId, signal);
        if ('isbn' in input) return titleByIsbn(await api(), input.isbn, signal);
        return raise({ kind: 'refused', code: 'not_found', message: '' });
      }),
      related: requestPort<Shelf[], OtherTitles>(async ({ input, signal }) => shelvesOf(await api(), input, signal)),
      relatedInView: inViewPort('related', { type: 'related.near' }, stands),
      commentsInView: inViewPort('comments', { type: 'comments.near' }, stands),
      comments: comments({ api, token }),
      sharing: sharing(stands),
      ownership: requestPort<Access, { titleId: string }>(async ({ input, signal }) =>
        // A title that the server does not find in the library is none of theirs.
        titleAccess(await api(), input, signal).catch((error: unknown) => orWhenMissing(error, noAccess)),
      ),
      // Not taken back when the page is left: it was asked for, and nothing is paid.
      grant: requestPort<string, { titleId: string }>(async ({ input: { titleId } }) => {
        const { instanceId } = await purchaseFreeTitle(await api(), { titleId, key: crypto.randomUUID() });
        own(grants).tell();
        return instanceId;
      }),
    },
  });

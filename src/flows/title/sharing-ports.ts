import { titlePath } from '../../../machines/model/paths.ts';
import { requestPort } from '../../../machines/ports.ts';
import { sharingMachine, type Shared, type Ways } from '../../../machines/browsing/sharing.ts';

export const sharing = sharingMachine.provide({
  actors: {
    ways: requestPort<Ways, Shared>(async ({ input: { titleId, name } }) => ({
      link: new URL(titlePath(titleId, name), location.origin).href,
      sharesHere: typeof navigator.share === 'function',
    })),
    share: requestPort<null, { link: string; name: string }>(async ({ input: { link, name } }) => {
      // Rejects as well when the customer thinks better of it.
      await navigator.share({ title: name, url: link }).catch(() => undefined);
      return null;
    }),
    copy: requestPort<null, { link: string }>(async ({ input: { link } }) => {
      await navigator.clipboard.writeText(link);
      return null;
    }),
  },
});

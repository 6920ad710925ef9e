import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { sharingMachine } from '../../../machines/browsing/sharing.ts';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { OuterLink } from '../../ui/TextLink.tsx';
import { getStateAttributes } from '../../views/state-name.ts';

type Actor = ActorRefFrom<typeof sharingMachine>;

const formatCopyMessage = (snapshot: SnapshotFrom<typeof sharingMachine>): ReactElement | null => {
  const { link } = snapshot.context;
  if (snapshot.matches({ ready: 'copied' })) return <Trans>Link copied.</Trans>;
  return snapshot.matches({ ready: 'notCopied' }) ? (
    <Trans>Your browser didn’t allow copying. Here’s the link: {link}</Trans>
  ) : null;
};

const toMailtoLink = (name: string, link: string): string =>
  `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(link)}`;

const ShareButtons = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  const snapshot = useSelector(actor, (state) => state);
  const { link, name } = snapshot.context;
  return (
    <chakra.section
      aria-label={t`Share this title`}
      {...getStateAttributes('sharing', snapshot.value)}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap={3}
      // Aligns the buttons' texts, not their edges, with the content above.
      ms={{ base: -2, md: -4 }}
    >
      <EventButton actor={actor} event={{ type: 'share.pressed' }} deniedLook="hidden" look="quiet" size="sm">
        <Trans>Share</Trans>
      </EventButton>
      <EventButton actor={actor} event={{ type: 'copy.pressed' }} look="quiet" size="sm">
        <Trans>Copy link</Trans>
      </EventButton>
      {link === '' ? null : (
        <OuterLink href={toMailtoLink(name, link)} fontSize="sm">
          <Trans>Send by email</Trans>
        </OuterLink>
      )}
      <chakra.p role="status" fontSize="sm" color="inkMuted" overflowWrap="anywhere">
        {formatCopyMessage(snapshot)}
      </chakra.p>
    </chakra.section>
  );
};

/** Links for sharing the title, without third-party scripts. */
export const Sharing = ({ actor }: { actor: ActorRefFrom<typeof titleMachine> }): ReactElement | null => {
  const sharing = useSelector(actor, ({ children }) => children.sharing as Actor | undefined);
  return sharing === undefined ? null : <ShareButtons actor={sharing} />;
};

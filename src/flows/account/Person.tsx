import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { sessionMachine } from '../../../machines/app/session.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { LanguageSelect } from '../../views/LanguageSelect.tsx';

/** Who is signed in, in which language, and the ways out. */
export const Person = (): ReactElement => {
  const app = useAppActor();
  const session = useSelector(app, ({ children }) => children.session as ActorRefFrom<typeof sessionMachine> | undefined);
  const email = useSelector(session, (snapshot) => snapshot?.context.pii.email ?? '');
  return (
    <Sheet display="grid" gap={5} justifyItems="start">
      {email === '' ? null : (
        <chakra.p minWidth="0" maxWidth="100%" overflowWrap="anywhere">
          <Trans>
            Signed in as <strong>{email}</strong>
          </Trans>
        </chakra.p>
      )}
      <LanguageSelect />
      <chakra.div display="flex" flexWrap="wrap" gap={3}>
        <ButtonLink href="/mylibrary">
          <Trans>My Library</Trans>
        </ButtonLink>
        <ButtonLink href="/wishlist" look="outline">
          <Trans>Wish list</Trans>
        </ButtonLink>
        <EventButton actor={app} event={{ type: 'signOut.pressed' }} look="outline">
          <Trans>Logout</Trans>
        </EventButton>
      </chakra.div>
    </Sheet>
  );
};

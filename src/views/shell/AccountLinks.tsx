import { chakra } from '@chakra-ui/react/styled-system';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { ChromePart } from '../../../machines/model/route.ts';
import type { sessionMachine } from '../../../machines/session.ts';
import { BarButton, BarLink } from '../../ui/BarButton.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Press } from '../../ui/Press.tsx';
import { useApp, useAppActor } from '../app-actor.ts';

const Words = chakra('span', { base: { display: { base: 'none', md: 'inline' } } });

const AccountMenu = (): ReactElement => {
  const { t } = useLingui();
  const id = useId();
  const app = useAppActor();
  const session = useSelector(app, ({ children }) => children.session as ActorRefFrom<typeof sessionMachine> | undefined);
  const email = useSelector(session, (snapshot) => snapshot?.context.pii.email ?? null);
  return (
    <>
      <BarButton popoverTarget={id} aria-label={t`Account`}>
        <Icon name="person" />
        <Words>
          <Trans>Account</Trans>
        </Words>
      </BarButton>
      <Popover id={id} popover="auto">
        {email === null ? null : (
          <chakra.p fontSize="sm" color="inkMuted">
            <Trans>
              Signed in as <strong>{email}</strong>
            </Trans>
          </chakra.p>
        )}
        <Press actor={app} event={{ type: 'signOut.pressed' }} look="outline" size="sm">
          <Trans>Logout</Trans>
        </Press>
      </Popover>
    </>
  );
};

/** The right end of the top bar: the library, and the way in or out. */
export const AccountLinks = ({ hides }: { hides: ChromePart[] }): ReactElement => {
  const { t } = useLingui();
  const isSignedIn = useApp(({ signedIn }) => signedIn === true);
  const isEntering = useApp(({ route }) => route?.flow === 'signIn' || route?.flow === 'signUp');
  const way = isSignedIn ? (
    <AccountMenu />
  ) : (
    <BarLink href="/signin" aria-label={t`Sign in`} aria-current={isEntering ? 'page' : undefined}>
      <Icon name="person" />
      <Words>
        <Trans>Sign in</Trans>
      </Words>
    </BarLink>
  );
  return (
    <chakra.nav aria-label={t`Your account`} flex="none" display="flex" alignItems="center">
      {hides.includes('library') ? null : (
        <BarLink href="/mylibrary" aria-label={t`My Library`}>
          <Icon name="library" />
          <Words>
            <Trans>My Library</Trans>
          </Words>
        </BarLink>
      )}
      {hides.includes('signIn') ? null : way}
    </chakra.nav>
  );
};

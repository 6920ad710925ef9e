import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { sessionMachine } from '../../../machines/app/session.ts';
import { BarButton } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { closeOnFocusLeave, Popover } from '../../ui/Popover.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useApp, useAppActor, useHasWishList } from '../../views/app-actor.ts';
import { HelpLink } from '../frame/HelpLink.tsx';
import { LookSelects } from './LookSelects.tsx';
import type { FrameActor } from '../frame/use-frame.ts';

/** The signed-in customer, the profile, the wish list, help, the shop's look, and sign-out. */
export const AccountMenu = ({ frame }: { frame: FrameActor }): ReactElement => {
  const { t } = useLingui();
  const id = useId();
  const app = useAppActor();
  const hasWishList = useHasWishList();
  const path = useApp(({ route }) => route?.path ?? '');
  const session = useSelector(app, ({ children }) => children.session as ActorRefFrom<typeof sessionMachine> | undefined);
  const email = useSelector(session, (snapshot) => snapshot?.context.pii.email ?? '');
  return (
    <>
      <BarButton popoverTarget={id} aria-label={t`Account`}>
        <Icon name="person" />
        <chakra.span display={{ base: 'none', xl: 'inline' }}>
          <Trans>Account</Trans>
        </chakra.span>
      </BarButton>
      {/* The key closes the menu after a link in it has been followed. */}
      <Popover key={path} id={id} popover="auto" onBlur={closeOnFocusLeave}>
        {email === '' ? null : (
          <chakra.p fontSize="sm" color="inkMuted">
            <Trans>
              Signed in as <strong>{email}</strong>
            </Trans>
          </chakra.p>
        )}
        <TextLink href="/account">
          <Trans>My Profile</Trans>
        </TextLink>
        {hasWishList ? (
          <TextLink href="/wishlist">
            <Trans>Wish list</Trans>
          </TextLink>
        ) : null}
        <HelpLink />
        <LookSelects frame={frame} />
        <EventButton actor={app} event={{ type: 'signOut.pressed' }} look="outline" size="sm">
          <Trans>Logout</Trans>
        </EventButton>
      </Popover>
    </>
  );
};

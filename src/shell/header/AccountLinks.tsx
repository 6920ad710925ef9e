import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { signInPath } from '../../../machines/model/paths.ts';
import { signInOrUpPath } from '../../../machines/flows/route.ts';
import { BarLink } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useApp, useHasWishList, useIsSignedIn } from '../../views/app-actor.ts';
import { useFrame } from '../frame/use-frame.ts';

/** Hidden where it would leave the search no room: only the icon is shown. */
const Label = chakra('span', { base: { display: { base: 'none', xl: 'inline' } } });

/** The right end of the top bar: the library, and the account or sign-in. */
export const AccountLinks = ({ hides }: { hides: FramePart[] }): ReactElement => {
  const { t } = useLingui();
  const isSignedIn = useIsSignedIn();
  const route = useApp((context) => context.route);
  const hasWishList = useHasWishList();
  const isEntering = route?.flow === 'signIn' || route?.flow === 'signUp';
  const frame = useFrame();
  // Until the account menu is loaded, the link leads to the account's page.
  const signIn =
    !route || isEntering || route.path === '/' ? signInPath() : signInOrUpPath(route, { action: null, expired: false });
  const door = isSignedIn ? { href: '/account', text: t`Account` } : { href: signIn, text: t`Sign in` };
  const way =
    isSignedIn && frame ? (
      <frame.AccountMenu frame={frame.actor} />
    ) : (
      <BarLink
        href={door.href}
        aria-label={door.text}
        aria-current={isEntering ? 'page' : undefined}
        data-visitors={isSignedIn ? undefined : ''}
      >
        <Icon name="person" />
        <Label>{door.text}</Label>
      </BarLink>
    );
  return (
    <chakra.nav aria-label={t`Your account`} flex="none" display="flex" alignItems="center" mr={{ xl: -3 }}>
      {hides.includes('library') ? null : (
        <BarLink href="/mylibrary" aria-label={t`My Library`}>
          <Icon name="library" />
          <Label>
            <Trans>My Library</Trans>
          </Label>
        </BarLink>
      )}
      {hides.includes('library') || !hasWishList ? null : (
        <BarLink href="/wishlist" aria-label={t`Wish list`} display={{ base: 'none', md: 'inline-flex' }}>
          <Icon name="heart" />
        </BarLink>
      )}
      {hides.includes('signIn') ? null : way}
      {isSignedIn || hides.includes('signIn') ? null : (
        // Reserves the space until the frame is loaded; narrow windows have the look in the menu.
        <chakra.span display={{ base: 'none', xl: 'block' }} width={12}>
          {frame ? <frame.LookMenu frame={frame.actor} /> : null}
        </chakra.span>
      )}
    </chakra.nav>
  );
};

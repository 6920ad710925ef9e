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

/** The text of a link; hidden beside the icon where it would leave the search no room. */
const Label = chakra('span', { base: { display: { base: 'none', xl: 'inline' } } });

/** The right end of the top bar: library, wish list, account or sign-in, and a visitor's look. */
export const AccountLinks = ({ hides }: { hides: FramePart[] }): ReactElement => {
  const { t } = useLingui();
  const isSignedIn = useIsSignedIn();
  const route = useApp((context) => context.route);
  const hasWishList = useHasWishList();
  const isSignInPage = route?.flow === 'signIn' || route?.flow === 'signUp';
  const frame = useFrame();
  const signInHref =
    !route || isSignInPage || route.path === '/' ? signInPath() : signInOrUpPath(route, { action: null, expired: false });
  const accountLink = isSignedIn ? { href: '/account', text: t`Account` } : { href: signInHref, text: t`Sign in` };
  // Until the account menu is loaded, a link to the account's page takes its place.
  const accountControl =
    isSignedIn && frame ? (
      <frame.AccountMenu frame={frame.actor} />
    ) : (
      <BarLink
        href={accountLink.href}
        aria-label={accountLink.text}
        aria-current={isSignInPage ? 'page' : undefined}
        data-visitors={isSignedIn ? undefined : ''}
      >
        <Icon name="person" />
        <Label>{accountLink.text}</Label>
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
      {hides.includes('signIn') ? null : accountControl}
      {isSignedIn || hides.includes('signIn') ? null : (
        // Reserves the space until the frame is loaded; narrow windows have the look in the menu.
        <chakra.span display={{ base: 'none', xl: 'block' }} width={12}>
          {frame ? <frame.LookMenu frame={frame.actor} /> : null}
        </chakra.span>
      )}
    </chakra.nav>
  );
};

import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { useAppActor, useHasWishList } from '../../views/app-actor.ts';
import { LanguageSelect } from '../../views/LanguageSelect.tsx';
import { useSignedInEmail } from './use-own-email.ts';

/**
 * The signed-in customer's e-mail address, the language, links to the library and the wish list,
 * and the button for signing out.
 */
export const Person = (): ReactElement => {
  const app = useAppActor();
  const hasWishList = useHasWishList();
  const email = useSignedInEmail();
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
        {hasWishList ? (
          <ButtonLink href="/wishlist" look="outline">
            <Trans>Wish list</Trans>
          </ButtonLink>
        ) : null}
        <EventButton actor={app} event={{ type: 'signOut.pressed' }} look="outline">
          <Trans>Logout</Trans>
        </EventButton>
      </chakra.div>
    </Sheet>
  );
};

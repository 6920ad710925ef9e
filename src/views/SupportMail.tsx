import type { ReactElement } from 'react';
import { useBrand } from '../brand/BrandProvider.tsx';
import { OuterLink, TextLink } from '../ui/TextLink.tsx';
import { Trans } from '@lingui/react/macro';

/**
 * A line about how to contact the shop: the support's e-mail address, else a link to the page about
 * the store.
 */
export const SupportMail = (): ReactElement => {
  const { supportEmail } = useBrand();
  return supportEmail === '' ? (
    <Trans>
      You’ll find the shop’s contact details on the <TextLink href="/about">About</TextLink> page.
    </Trans>
  ) : (
    <Trans>
      Write to us at <OuterLink href={`mailto:${supportEmail}`}>{supportEmail}</OuterLink>.
    </Trans>
  );
};

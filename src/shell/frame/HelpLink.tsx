import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';

/** Links to the store's FAQ, on its own site or on the shop's page about the store. */
export const HelpLink = (look: Pick<ComponentProps<typeof TextLink>, 'look' | 'color' | 'display' | 'py'>): ReactElement => {
  const { faq } = useBrand().store;
  if (/^https?:\/\//i.test(faq)) {
    return (
      <OuterLink href={faq} rel="noopener" {...look}>
        <Trans>Help</Trans>
      </OuterLink>
    );
  }
  return (
    <TextLink href="/about" {...look}>
      <Trans>Help</Trans>
    </TextLink>
  );
};

import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';

/** Leads to the store's questions and answers: where it keeps them itself, or on the page about it. */
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

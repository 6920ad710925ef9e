import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { PriceTag } from '../ui/PriceTag.tsx';

/** Stands where the price of a title would, once it is the customer's. */
export const InLibrary = ({ size = 'md' }: Pick<ComponentProps<typeof PriceTag>, 'size'>): ReactElement => (
  // On a card it keeps to one line; beside a title it may take more.
  <PriceTag tone="free" size={size} {...(size === 'lg' ? { whiteSpace: 'normal' } : { truncate: true })}>
    <Trans>In your library</Trans>
  </PriceTag>
);

import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { PriceTag } from '../ui/PriceTag.tsx';

/** Stands where the price of a title would, once it is the customer's. */
export const InLibrary = (props: Pick<ComponentProps<typeof PriceTag>, 'size'>): ReactElement => (
  <PriceTag tone="free" truncate {...props}>
    <Trans>In your library</Trans>
  </PriceTag>
);

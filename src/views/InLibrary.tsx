import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { PriceTag } from '../ui/PriceTag.tsx';

type Props = Pick<ComponentProps<typeof PriceTag>, 'size'> & { withSubscription?: boolean };

/** Stands where the price of a title would, once it is the customer's, or their subscription opens it. */
export const InLibrary = ({ size = 'md', withSubscription = false }: Props): ReactElement => (
  // On a card it keeps to one line; beside a title it may take more.
  <PriceTag tone="free" size={size} {...(size === 'lg' ? { whiteSpace: 'normal' } : { truncate: true })}>
    {withSubscription ? <Trans>With your subscription</Trans> : <Trans>In your library</Trans>}
  </PriceTag>
);

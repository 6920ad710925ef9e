import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { PriceTag } from '../ui/PriceTag.tsx';

type Props = Pick<ComponentProps<typeof PriceTag>, 'size'> & { withSubscription?: boolean };

/** Replaces the price of a title that the customer owns, or that their subscription includes. */
export const InLibrary = ({ size = 'md', withSubscription = false }: Props): ReactElement => (
  // On a card it stays on one line; beside a title it may wrap.
  <PriceTag tone="free" size={size} {...(size === 'lg' ? { whiteSpace: 'normal' } : { truncate: true })}>
    {withSubscription ? <Trans>With your subscription</Trans> : <Trans>In your library</Trans>}
  </PriceTag>
);

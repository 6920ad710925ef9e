import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Empty } from '../../ui/Message.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';

/** A shop that has nothing in it yet. */
export const LandingEmpty = (): ReactElement => {
  const { t } = useLingui();
  const { name } = useBrand();
  return (
    <Empty level={1} heading={t`Welcome to ${name}`}>
      <Trans>The shelves are still empty. Come back soon.</Trans>
    </Empty>
  );
};

/** None of the shelves came. */
export const LandingFailed = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => (
  <DidNotCome actor={actor} heading={<Trans>The shelves did not come</Trans>} />
);

import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { landingMachine } from '../../../machines/landing.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Empty, Failed } from '../../ui/Message.tsx';
import { Press } from '../../ui/Press.tsx';
import { problemText } from '../problem-text.tsx';

/** A shop that has nothing in it yet. */
export const LandingEmpty = (): ReactElement => {
  const { name } = useBrand();
  return (
    <Empty level={1} heading={<Trans>Welcome to {name}</Trans>}>
      <Trans>The shelves are still empty. Come back soon.</Trans>
    </Empty>
  );
};

/** None of the shelves came. */
export const LandingFailed = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <Failed
      level={1}
      heading={<Trans>The shelves did not come</Trans>}
      actions={
        <Press actor={actor} event={{ type: 'retry.pressed' }}>
          <Trans>Retry</Trans>
        </Press>
      }
    >
      {problem === null ? null : problemText(problem)}
    </Failed>
  );
};

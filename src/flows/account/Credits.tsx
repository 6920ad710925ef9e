import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { creditsMachine } from '../../../machines/account/credits.ts';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useCreditsText } from '../../views/lazy/credits-text.ts';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof creditsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your credits…</Trans>
  </Loading>
);

/** The number of credits, in the store's own word for them. */
const Shown = ({ actor }: Props): ReactElement | null => {
  const formatCredits = useCreditsText();
  const credits = useSelector(actor, ({ context }) => context.credits);
  if (credits === null) return null;
  return (
    <chakra.p fontWeight={600} overflowWrap="anywhere">
      {formatCredits({ amount: credits.balance, currency: credits.currency })}
    </chakra.p>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your credits</Trans>} />
);

const screens: Screens<typeof creditsMachine> = {
  loading: Fetching,
  shown: Shown,
  none: null,
  failed: Failed,
};

/** The customer's credits; the number in the top bar links here. */
export const Credits = ({ actor }: Props): ReactElement => (
  <Section flow="credits" actor={actor} screens={screens} heading={<Trans>Credits</Trans>} part="credits" />
);
